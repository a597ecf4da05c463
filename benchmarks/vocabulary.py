"""Words and sentence patterns from which the benchmark site's English is made.

Real words in grammatical sentences, so that language detection, tokenising and duplicate
detection do the work that they do on the web.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """A section of the site and the nouns that its pages are about."""

    name: str
    nouns: tuple[str, ...]
    plurals: tuple[str, ...]


def _words(text: str, separator: str | None = None) -> tuple[str, ...]:
    return tuple(text.split(separator))


def _topic(name: str, nouns: str) -> Topic:
    singular = _words(nouns)
    return Topic(name, singular, tuple(_plural(noun) for noun in singular))


def _plural(noun: str) -> str:
    if noun.endswith(("s", "sh", "ch", "x")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


TOPICS = (
    _topic(
        "harbours",
        "harbour lighthouse pier anchor fisherman vessel cargo tide dock captain sailor channel "
        "warehouse buoy net ferry shipyard crane beacon quay current pilot mast storm voyage",
    ),
    _topic(
        "gardens",
        "garden orchard hedge greenhouse seedling meadow pond gardener rose border lawn terrace "
        "compost bulb fruit branch blossom path fountain shrub oak nursery trellis bed season",
    ),
    _topic(
        "railways",
        "railway station locomotive carriage signal tunnel viaduct platform timetable engineer "
        "conductor junction passenger bridge boiler wagon depot gauge express branch driver "
        "ticket siding embankment journey",
    ),
    _topic(
        "astronomy",
        "telescope planet comet galaxy orbit observatory star nebula eclipse astronomer satellite "
        "spectrum crater mirror lens moon meteor constellation horizon probe catalogue instrument "
        "cluster shadow measurement",
    ),
    _topic(
        "cookery",
        "kitchen recipe oven loaf sauce spice onion market baker pastry soup herb butter pan "
        "cook dish flavour cheese ingredient supper table knife stew grain cellar",
    ),
    _topic(
        "mountains",
        "mountain valley glacier summit ridge shepherd trail avalanche climber hut rope slope "
        "waterfall pass forest boulder cliff guide village pasture stream cave plateau map peak",
    ),
    _topic(
        "libraries",
        "library manuscript archive librarian shelf catalogue reader printer binding page volume "
        "scholar index letter chapter author margin collection edition study scroll map desk "
        "document translation",
    ),
    _topic(
        "music",
        "orchestra violin composer concert melody choir organ rehearsal audience conductor "
        "symphony piano drum score singer stage festival string trumpet ballad rhythm hall "
        "recording tune quartet",
    ),
    _topic(
        "weather",
        "storm cloud forecast barometer drought flood season frost thermometer wind rainfall "
        "hurricane station front breeze climate record thunderstorm observer blizzard coast "
        "satellite temperature pressure measurement",
    ),
    _topic(
        "bridges",
        "bridge arch pillar river cable engineer span foundation toll traveller stone girder "
        "mason ferry road design collapse survey workshop rivet beam contract tower bank model",
    ),
    _topic(
        "computing",
        "program compiler processor network database engineer algorithm keyboard memory language "
        "machine protocol server terminal library test operator printer circuit disk record "
        "manual error design laboratory",
    ),
    _topic(
        "medicine",
        "hospital surgeon patient nurse remedy vaccine disease symptom laboratory clinic fever "
        "microscope treatment bandage physician trial ward medicine epidemic journal wound "
        "diagnosis instrument recovery pharmacy",
    ),
    _topic(
        "painting",
        "painter canvas portrait gallery brush pigment landscape museum sketch exhibition frame "
        "studio patron palette mural critic student collector shadow fresco model restoration "
        "drawing engraving auction",
    ),
    _topic(
        "trade",
        "merchant market caravan coin tariff warehouse ledger guild port contract price harvest "
        "bank customer broker spice cloth shipment company loan auction partner tax shop route",
    ),
    _topic(
        "birds",
        "heron falcon nest feather wetland migration ornithologist egg swallow flock reserve owl "
        "beak song marsh island observer sparrow wing crane gull territory hatchling season hide",
    ),
    _topic(
        "castles",
        "castle moat tower siege knight wall gate banner dungeon garrison king keep bridge "
        "courtyard treaty lord chapel ruin battlement armourer feast messenger prince stable well",
    ),
)

ADJECTIVES = _words(
    "old quiet narrow famous distant careful northern southern ancient modern small remarkable "
    "forgotten busy early late wooden heavy bright complete curious deep expensive familiar "
    "gentle huge important local long original popular private public rare recent reliable rich "
    "rough separate simple steady strange tall useful valuable western eastern wide young"
)

PLACES = _words(
    "Aldermere Brackwater Caldwell Dunmore Eastleigh Farrowby Glenhaven Hartsfield Inverley "
    "Kestrel-Bay Langford Marlowe Northwick Oakhurst Penrose Quarrington Ravensholm Silverton "
    "Thornbury Upperton Westmarch Yarrowdale Ashcombe Brindle Coldharbour Drayton Elmstead "
    "Foxley Greywick Holloway"
)

PEOPLE = _words(
    "Agnes Holloway|Bernard Okafor|Clara Lindqvist|Daniel Moreau|Edith Tanaka|Felix Brandt|"
    "Grace Adeyemi|Henry Castellan|Ingrid Solberg|James Whitlock|Katherine Rao|Leonard Pike|"
    "Miriam Katz|Nathaniel Frost|Olivia Marchetti|Peter Novak|Rosalind Burke|Samuel Achterberg|"
    "Theresa Quinn|Walter Iyer",
    "|",
)

VERBS_PAST = _words(
    "described repaired visited measured changed protected replaced sold inspected followed "
    "surrounded supported designed studied crossed reached damaged remembered photographed "
    "inherited improved recorded abandoned restored examined"
)

VERBS_BASE = _words(
    "describe repair visit measure change protect replace sell inspect follow support design "
    "study cross reach remember improve record restore examine"
)

ADVERBS = _words(
    "slowly carefully rarely often usually quickly quietly almost certainly finally gradually "
    "originally recently officially together easily"
)

TIMES = _words(
    "in the spring|during the long winter|after the war|in the nineteenth century|at dawn|"
    "before the railway came|for more than forty years|in the summer of 1884|every autumn|"
    "within a single generation|by the end of the decade|on the first day of May|in 1926|"
    "until the council intervened|once a year|since the great fire",
    "|",
)

REASONS = _words(
    "because the money had run out|although few people noticed|while the town slept|"
    "so that nothing would be lost|as the letters of the time make clear|"
    "even though the work was dangerous|if the records can be trusted|"
    "which surprised everyone who had seen the plans|and the results were better than expected|"
    "but the reasons are still disputed|since no other solution could be found",
    "|",
)

# {n} noun, {N} plural, {a} adjective, {p} place, {w} person, {v} past verb, {b} base verb,
# {d} adverb, {t} time, {r} reason, {x} a number.
PATTERNS = (
    "The {a} {n} of {p} {v} the {n} {t}, {r}.",
    "{w} {d} {v} the {a} {n} near {p} {t}.",
    "Most of the {N} in {p} are {a}, and only {x} of them have been described in any detail.",
    "According to {w}, a {a} {n} is worth more than {x} {a} {N}.",
    "Visitors who come to {p} {t} {d} {b} the {N} before they {b} the {a} {n}.",
    "There were at least {x} {N} in the district, {r}.",
    "It took {w} nearly {x} days to {b} the {n}, {r}.",
    "Nobody could {b} the {n} without a {a} {n}, and so the {N} of {p} waited.",
    "{t}, as {w} wrote to a friend, the {a} {n} was {d} {v} by the people of {p}.",
    "A {a} {n} stands beside the {n}, where {x} {N} were once {v}.",
    "When the {n} was {v} {t}, the {N} became {a} again.",
    "Each {n} has its own {n}; the {a} ones can still be seen at {p}.",
    "The report lists {x} {N}, {x} {N} and one {a} {n}, {r}.",
    "How the {n} came to {p} is not known, {r}.",
    "If you {b} the {a} {n} {t}, you will {d} find the {N} that {w} {v}.",
    "What makes the {n} of {p} so {a} is the way its {N} {b} one another.",
)
