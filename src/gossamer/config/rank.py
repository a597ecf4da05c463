"""Every setting of link analysis: name, default, one line of help."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Factor = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Damping = Annotated[float, Field(ge=0, le=0.999)]
Tolerance = Annotated[float, Field(gt=0, le=0.1)]
Count = Annotated[int, Field(ge=1)]

LINKS = "Links"
SOLVING = "Solving"
TOGETHER = "Together"
FARMS = "Link farms"


def _setting(default: Any, group: str, help_text: str) -> Any:
    return Field(default=default, description=help_text, json_schema_extra={"group": group})


class RankSettings(BaseModel):
    """Every setting of link analysis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nofollow: bool = _setting(False, LINKS, "Links that ask not to be followed count too.")
    uncrawled: bool = _setting(
        True, LINKS, "Pages that are only linked to have a rank too; else links to them are left."
    )
    template_share: Share = _setting(
        0.5,
        LINKS,
        "A link that stands on more than this share of a host's pages is its template's.",
    )
    template_weight: Share = _setting(
        0.1, LINKS, "What a link of a template or of boilerplate counts, beside 1 of others."
    )

    damping: Damping = _setting(0.85, SOLVING, "How often a link is followed, and not jumped.")
    tolerance: Tolerance = _setting(
        1e-9, SOLVING, "Iterations end when all ranks together change by less."
    )
    max_iterations: Count = _setting(10_000, SOLVING, "They end after so many in any case.")
    trusted_hosts: tuple[str, ...] = _setting(
        (), SOLVING, "Jumps lead to pages of these hosts and domains alone (TrustRank)."
    )

    page_weight: Factor = _setting(1.0, TOGETHER, "Of the page's rank in the combined rank.")
    host_weight: Factor = _setting(1.0, TOGETHER, "Of its host's rank.")
    domain_weight: Factor = _setting(1.0, TOGETHER, "Of its domain's rank.")

    farms: bool = _setting(
        False, FARMS, "Look for link farms, cut the links out of them, and rank again."
    )
