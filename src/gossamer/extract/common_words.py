"""Common words of languages that look alike: what a few of them say where letters say too little.

Kin languages share most of their letters and many of their words, and a model of letters takes
one for the other; their commonest words differ. Languages that are nobody's kin are here because
they stand next to the others in the model's doubts: who is not listed could never win.
"""

from collections import Counter

_LISTS = {
    # Norse
    "da": "af efter ikke jeg hvad nogle noget kun bliver blev mellem blevet igen meget "
    "mange gennem havde uden op ud ind hvis nu sig mig dig tilbage altid også eller "
    "men der det den som til på med har være fra ved kan skal deres hver når dette "
    "denne bruges anden andet lige samt bare end selv få dem hun han vores inden alle "
    "under over siden indtil her havet får står mens",
    "no": "av etter ikke jeg hva noen noe kun blir ble mellom blitt igjen mye mange "
    "gjennom hadde uten opp ut inn hvis nå seg meg deg tilbake alltid også eller men "
    "der det den som til på med har være fra ved kan skal deres hver når dette denne "
    "brukes annen annet bare enn selv få dem hun han vårt våre alle under over siden "
    "inntil her får står mens sammen dere hvordan både",
    "nn": "av etter ikkje eg kva nokre noko berre vert vart mellom blir blei igjen "
    "mykje mange gjennom hadde utan opp ut inn dersom no seg meg deg tilbake alltid "
    "også òg eller men der det den som til på med har vere vore frå ved kan skal "
    "deira kvar når dette denne brukast annan anna enn sjølv få dei ho han våre alle "
    "under over sidan her står medan saman korleis ein eit me desse både",
    "sv": "av efter inte jag vad några något bara blir blev mellan blivit igen mycket "
    "många genom hade utan upp ut in om nu sig mig dig tillbaka alltid också eller "
    "men där det den som till på med har vara från vid kan ska deras varje när detta "
    "denna används annan annat än själv få dem hon han våra alla under över sedan här "
    "får står och är för att de sin så ett en inom medan",
    "is": "og að er sem til um við með en ekki það á í af var þegar fyrir hefur svo eða "
    "þá frá eru hann hún þau þeir sér þar eftir upp út allt þetta þess ef má vera þú "
    "nú",
    # West Germanic
    "nl": "een de het niet voor ze zijn hij wordt worden bij zij naar deze als je uw "
    "kunnen hebben werd heeft zal mijn van en in op te dat die is met om maar aan er "
    "ook dan uit nog over of door moet wel was geen meer tot hun dit kan onze zich "
    "elke alle alleen geven welke",
    "af": "nie 'n n is word wat vir hulle ons jou sy het was moet as by baie maar ook "
    "hy gaan kan sal en die dit met op van aan my daar te om in of dan nog deur uit "
    "tot meer hul elke alle hierdie geen wees kon net wanneer so jy u moenie nuwe "
    "asook terwyl eers",
    "de": "der die das und ist nicht ein eine zu den von mit sich auf für im dem des "
    "auch als an werden aus er hat dass sie nach wird bei einer um am sind noch wie "
    "einem über einen so zum haben nur oder aber vor zur bis mehr durch man sein "
    "wurde wenn kann",
    "en": "the of and to in is that for it as was with be by on not he his but at are "
    "this have from or had an they which you were her all she there would their we "
    "him been has when who will more no if out so said what up its about than into "
    "them can only other new could these may do any my now such like our over",
    "fy": "de it en fan in is net dat op te mei foar wie hy om ek troch by har oan as "
    "mar sy hat der wurdt út noch wurde yn nei oer dy ien ûnder sa waard",
    # Malay
    "id": "bahwa karena bisa dapat akan tidak anda dari berbeda saja oleh jika ketika "
    "beberapa merupakan adalah saat harus sudah kalau seperti sekitar hanya desa kota "
    "yang dan di ke untuk dengan pada ini itu dalam atau juga tetapi mereka bila "
    "digunakan daftar menggunakan berkas galat tombol jendela kesalahan apakah belum "
    "setelah sebelum selama lebih para bagi sangat supaya sehingga senin selasa kamis "
    "agustus ujung cara agar mungkin gagal sekarang lewat sebuah yaitu gambar layar "
    "karakter bagian waktu diberikan ditampilkan terjadi tak kecuali butir dulu",
    "ms": "bahawa kerana boleh dapat akan tidak anda dari daripada berbeza sahaja oleh "
    "jika apabila beberapa merupakan adalah ialah perlu mesti sudah telah kalau "
    "seperti hanya kampung bandar yang dan di ke untuk dengan pada ini itu dalam atau "
    "juga tetapi mereka bila digunakan senarai menggunakan fail ralat butang "
    "tetingkap sama belum selepas sebelum semasa lebih para bagi sangat supaya "
    "sehingga isnin selasa khamis ogos hujung cara tiada sebarang manakala kepada "
    "mahu hendaklah sekiranya walaupun pelbagai kerajaan pejabat ianya gagal sekarang "
    "lalai datuk awak menerusi kadar beribu samada bilangan aksara setempat mestilah "
    "patut hendak bahagian kedudukan imej skrin kini kawasan dibenarkan perisian "
    "dahulu kerja sungai",
    "tl": "ang ng sa mga na at ay ni kay para hindi ito kung may siya ako kami namin "
    "aming kanilang niya habang upang dahil isang bago pagkatapos nang din rin pa "
    "lamang",
    "jv": "ing lan kang sing iku ora karo saka ana dadi uga iki wong utawa menyang amarga kanthi",
    "su": "nu jeung di anu teu ka ti keur kana ku aya téh ieu éta atawa mah dina jadi sarta",
    # South Slavic in Latin letters
    "hr": "je se su na da koji koja koje koju kojim kojih što kao ili ako nije samo "
    "biti bio bila bilo bi za od po ne će ovo ova ovaj sve kad kada kako ali te pa "
    "već još više može mogu nakon prije poslije uvijek vrijeme vremena dvije mjesto "
    "mjesta mjesec mjeseca djeca djece riječ riječi cijeli cijela rijeka rijeke smjer "
    "tijelo vidjeti živjeti djed susjed susjedi sljedeći sljedeće sljedećeg gdje tko "
    "tjedan tjedna također tijekom tisuća stotinu općina ovdje uvjet uvjeti "
    "vrijednost vrijednosti primjer promjena promjene promjenu svijet dio dijela "
    "dijelova umjesto ondje čovjek vlastitog datoteka datoteke datoteku korisnik "
    "korisnika zaslon zaslona izbornik poslužitelj pogreška pogreške neispravan "
    "nemoguće koristiti koristi odaberite cijelu prema potrebno obitelj kruh vlak "
    "točno točka točke sustav sustava popis popisa povijest povijesti znanost glazba "
    "kazalište zrak nogomet sveučilište otok otoka tvrtka razina razini osim naredba "
    "redak retku tipka tipkovnica poveznica poveznice inačica uporaba sučelje znakova "
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada "
    "studenoga prosinca",
    "bs": "je se su na da koji koja koje koju kojim kojih što šta kao ili ako nije samo "
    "biti bio bila bilo bi za od po ne će ovo ova ovaj sve kad kada kako ali te pa "
    "već još više može mogu nakon prije poslije uvijek vrijeme vremena dvije mjesto "
    "mjesta mjesec mjeseca djeca djece riječ riječi cijeli cijela rijeka rijeke smjer "
    "tijelo vidjeti živjeti komšija sljedeći sljedeće slijedeći gdje ko sedmica "
    "sedmice također takođe tokom hiljada hiljadu stotinu općina ovdje uslov uslovi "
    "vrijednost vrijednosti primjer promjena promjene svijet dio dijela umjesto "
    "čovjek datoteka datoteke datoteku korisnik korisnika ekran ekrana meni greška "
    "greške lahko historija historije tačno tačka li prema potrebno porodica hljeb "
    "voz fajl izaberite izmjene sistem sistema nauka muzika pozorište zrak fudbal "
    "univerzitet ostrvo izvještaj saobraćaj spisak dugme osim naredba januara "
    "februara marta aprila maja juna jula augusta avgusta septembra oktobra novembra "
    "decembra",
    "sr": "je se su na da koji koja koje koju kojim kojih što šta kao ili ako nije samo "
    "biti bio bila bilo bi za od po ne će ovo ova ovaj sve kad kada kako ali te pa "
    "već još više može mogu nakon pre posle uvek vreme vremena dve mesto mesta mesec "
    "meseca deca dece reč reči ceo cela celi reka reke smer telo videti živeti deda "
    "komšija sledeći sledeće sledećeg gde ko nedelja nedelje takođe tokom hiljada "
    "hiljadu stotinu opština ovde uslov uslovi vrednost vrednosti primer promena "
    "promene promenu svet deo dela delova umesto onde čovek datoteka datoteke "
    "datoteku korisnik korisnika ekran ekrana meni greška greške neispravan izaberite "
    "tačno tačka prema potrebno porodica hleb voz podešavanja podešavanje li sistem "
    "sistema istorija istorije nauka muzika pozorište vazduh fudbal univerzitet "
    "ostrvo preduzeće izveštaj saobraćaj rešenje spisak tastatura dugme osim naredba "
    "januara februara marta aprila maja juna jula avgusta septembra oktobra novembra "
    "decembra",
    "sl": "je se so na da ki in ali če ni samo biti bil bila bilo bi za od po ne bo to "
    "ta vse ko kako pa že še več lahko kot tudi ga jih pri iz ob med pred nad pod "
    "zaradi dokler kjer kaj kdo tako tega teh saj potem prav zato vsak vsako sem ste "
    "smo naj datoteke datoteko ukaz",
    # West Slavic
    "cs": "se že jsem jsme jsou je který která které při když ještě nebo byl byla bylo "
    "byli jako také jen není co více může mohou jejich protože už až tak aby ale pro "
    "za od do po by jeho jí být si mezi před přes podle pokud toto tento tato pouze "
    "než kterou nelze soubor soubory souboru jak kde kdy tam ani či ze ve ke byste "
    "dnes můžete nás nám má mají",
    "sk": "sa že som sme sú je ktorý ktorá ktoré pri keď ešte alebo bol bola bolo boli "
    "ako aj iba nie čo viac môže môžu ich pretože už až tak aby ale pre za od do po "
    "by jeho jej byť si medzi pred cez podľa ak toto tento táto než ktorú ktorého "
    "možné súbor súbory súboru kde kedy tam ani či zo vo ku ste dnes môžete nás nám "
    "má majú nemožno nim nich musí musia potom",
    "pl": "się że jest na nie do to jak ale po co tak za od go dla przez jego był była "
    "było czy oraz tym już tylko może być są lub ze przy który która które także gdy "
    "jej ich bez aby nad",
    # Iberian
    "gl": "unha cunha dunha nunha un ao aos do da dos das no na nos nas máis tamén xa "
    "xente moi despois pero cando onde ata foi os as é son estea non hai polo pola "
    "polos polas nin ese iso facer dende desde este esta entón outro outra cada pode "
    "poden estes tan só así aínda mentres ningún algún lle se que de en con por para "
    "como seu súa seus súas ser foron era pódese ficheiro ficheiros usuario está "
    "estar ou sen eles ela el sobre entre cal isto",
    "pt": "uma um numa duma ao aos do da dos das no na nos nas mais também já gente "
    "muito depois mas quando onde até foi os as é são esteja não há pelo pela pelos "
    "pelas nem esse isso fazer desde este esta então outro outra cada pode podem "
    "estes tão só assim ainda enquanto nenhum algum lhe se que de em com por para "
    "como seu sua seus suas ser foram era ficheiro ficheiros arquivo utilizador está "
    "estar ou sem eles ela ele sobre entre qual isto à às você muitas",
    "es": "una un al del los las el lo más también ya gente muy después pero cuando "
    "donde hasta fue es son esté no hay por ni ese eso hacer desde este esta entonces "
    "otro otra cada puede pueden estos tan sólo así aún mientras ningún algún le se "
    "que de en con para como su sus ser fueron era archivo archivos usuario está "
    "estar sin ellos ella él sobre entre cual esto porque la si me nos todo otros",
    "ca": "una un al del dels els les el més també ja gent molt després però quan on "
    "fins va és són no hi ha per ni això fer des aquest aquesta altre altra cada pot "
    "poden tan només així encara mentre cap algun li es que de en amb com seu seva "
    "ser era fitxer fitxers està sense ells ella ell sobre entre qual perquè la si ho "
    "tot als pel",
    "it": "di che la il un una per non del con da si le dei della al sono come più gli "
    "nel alla anche lo ma ha delle ed se dal ad questo cui ai loro su era stato "
    "essere i è ci tra fino poi",
    "fr": "de la le et les des en un une du est que dans qui par pour au il sur ne se "
    "pas plus avec sont ce son aux ou sa cette elle mais on ont comme été même leur "
    "fait ses tout être",
    "ro": "de și în la cu pe nu a se din un o care este mai sau pentru să că fi ce au "
    "ca prin fost sunt acest lui al pot iar după dar cei între ale poate unde această",
    # Celtic and others that the model is seldom sure of
    "ga": "an na agus ar go is le ag do atá ó bhí sé don nó mar faoi ní sin sa san gach "
    "leis chun seo siad mé tú bhfuil raibh níl den dá aon lena nach ach cén bheith "
    "eile acu amach de idir",
    "gd": "an na agus air gu is le aig do tha bho bha iad no mar fo chan sin anns gach "
    "leis gus seo mi thu bheil robh den aon nach ach bhith eile aca mach eadar dhan "
    "chaidh ann",
    "cy": "y yr yn ac ar i o a mae bod oedd roedd am gan wedi fel eu ei hyn nid ond un "
    "neu nad os bydd byddai yw ydy ydych hefyd gyda mewn iawn hi chi ni cyn gallwch "
    "dim rhai pan rhwng",
    "sw": "ya na wa kwa ni za katika la cha vya kuwa hii hiyo huo huu kama pia lakini "
    "au yake wake watu mtu kutoka hadi kila sana baada kabla ili ambaye ambayo hayo "
    "huyo hao yao wao zake mwaka wengi ingawa kwamba hivyo bila moja mbili si ndio",
    "sq": "të dhe në e i një për me që nga është nuk si u më ka do kjo ky por së ishte "
    "janë mund kur duke tek te edhe ai ajo tij saj deri pa ose",
    "hu": "az és hogy nem egy is ez volt meg de csak már el ha van mint még vagy azt ki "
    "le kell minden itt ami fel lehet sem pedig után majd volna ezt akkor aki ahol",
    "fi": "ja on ei että se oli hän mutta kun ovat ole tai joka myös niin sen kuin jos "
    "jo vain voi mitä siitä ollut sitä ne jotka vielä ennen sekä",
    "et": "ja on ei et see oli ta kui ka mis või aga oma seda olid kes selle siis välja "
    "pole veel nii mida ning sest üle tema nende kus",
    "eu": "eta da ez bat du dira ere izan zen dute den egin baina edo hori bere dela "
    "beste oso baino zuen ziren gero dago bidez",
    "eo": "la de kaj en estas ne al ke por kun el ĉi li ŝi oni sed aŭ tiu estis kiu per "
    "pli pri sur ĝi ili kiel",
    "tr": "ve bir bu da de için ile olarak çok daha en ne kadar gibi olan var sonra ama "
    "ya her değil ise mi olduğu",
    "az": "və bir bu da də üçün ilə olan çox daha ən nə qədər kimi var sonra amma hər "
    "deyil isə onun olaraq edir ki",
    # In Devanagari
    "hi": "है हैं में के की का और से को नहीं पर यह लिए कि एक इस हो कर जो तो भी या था थी "
    "थे ने करने किया गया वे उन्हें अपने साथ यदि अगर रहे रही जब तक कोई",
    "mr": "आहे आहेत आणि नाही हे या ते व साठी एक किंवा पण केले करा येते होते असे तर जे "
    "ही मध्ये त्या असल्यास करण्यासाठी वापरा होतो की काही तेव्हा जेव्हा हा ती करीता "
    "नाव येथे",
    "ne": "छ छन् र मा लाई को का की गर्न गर्नुहोस् यो हो भने पनि तर वा एक सक्छ हुन्छ गर्ने छैन देखि बाट यदि",
}

_WORDS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
_SPEAKERS = Counter(word for words in _WORDS.values() for word in words)
_WORDS_OF_ONE = {
    language: frozenset(word for word in words if _SPEAKERS[word] == 1)
    for language, words in _WORDS.items()
}
_PROOF = 4  # words
_FAMILIES = (
    frozenset({"da", "no", "nn", "sv"}),
    frozenset({"nl", "af"}),
    frozenset({"id", "ms"}),
    frozenset({"hr", "bs", "sr", "sl"}),
    frozenset({"cs", "sk"}),
    frozenset({"gl", "pt", "es", "ca"}),
    frozenset({"hi", "mr", "ne"}),
)
_KIN = {language: family - {language} for family in _FAMILIES for language in family}
_NO_KIN: frozenset[str] = frozenset()
_NO_WORDS: frozenset[str] = frozenset()
_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?"()[]…–—«»“”„।/', " "))


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.lower().translate(_PUNCTUATION).split())


def common(words: frozenset[str], language: str) -> int:
    """How many of the words are common ones of the language."""
    return len(words & _WORDS.get(language, _NO_WORDS))


def proves(text: str, language: str) -> bool:
    """Whether the text has so many common words of this language alone that it can be no other."""
    own = _WORDS_OF_ONE.get(language, _NO_WORDS)
    return len(own.intersection(text.lower().split())) >= _PROOF


def speaks_for_kin(text: str, language: str) -> bool:
    """Whether the text has more common words of a kin language than of this one."""
    kin = _KIN.get(language, _NO_KIN)
    if not kin:
        return False
    words = frozenset(text.lower().split())  # those before a comma are not missed, for speed
    own = common(words, language)
    return any(common(words, other) > own for other in kin)
