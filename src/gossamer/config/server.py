"""Every setting of the search site: name, default, unit in the name, one line of help."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
PositiveSeconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Port = Annotated[int, Field(ge=0, le=65535)]

EVERY_INDEX = "*"


def _setting(default: Any, group: str, help_text: str) -> Any:
    return Field(default=default, description=help_text, json_schema_extra={"group": group})


class ServerSettings(BaseModel):
    """Every setting of the search site. 0 means 'no limit' wherever a limit is a number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Where it is reached
    host: str = _setting(
        "127.0.0.1",
        "Where it is reached",
        "The address that it listens at; '0.0.0.0' is all of this machine. Other than loopback "
        "asks for an administrator's password first.",
    )
    port: Port = _setting(8000, "Where it is reached", "The port; 0: a free one.")
    workers: Positive = _setting(
        1, "Where it is reached", "Processes that answer, all at the same port."
    )
    public_url: str = _setting(
        "",
        "Where it is reached",
        "The address that browsers know the site by, where a proxy stands before it.",
    )
    behind_tls: bool = _setting(
        False,
        "Where it is reached",
        "Browsers reach it over TLS (by a proxy): cookies are for TLS alone.",
    )
    trusted_proxies: tuple[str, ...] = _setting(
        (),
        "Where it is reached",
        "Addresses of proxies that are believed when they say whom they ask for.",
    )
    link_hosts: dict[str, str] = _setting(
        {},
        "Where it is reached",
        "Hosts that browsers find under another name than the crawl did: links of results lead "
        "there, as in 'wiki.example=wiki.localhost:8080'.",
    )
    name: str = _setting("Gossamer", "Where it is reached", "What the site is called.")
    catalogue: str = _setting(
        "",
        "Where it is reached",
        "The database of runs, users and logs, 'postgresql+psycopg://...'; the environment "
        "variable GOSSAMER_CATALOGUE or a file in the home if empty.",
    )

    # Who may search what
    public_indexes: tuple[str, ...] = _setting(
        (EVERY_INDEX,),
        "Who may search what",
        "Indexes that anybody may search; '*' is all of them. The others ask for a login.",
    )
    default_index: str = _setting(
        "", "Who may search what", "The index that is searched unless another is chosen."
    )
    session_days: Positive = _setting(14, "Who may search what", "Days that a login lasts.")
    public_metrics: bool = _setting(
        False,
        "Who may search what",
        "Anybody may read /metrics; else only this machine, and those with a login or a token.",
    )

    # Limits
    searches_per_minute: Count = _setting(
        120, "Limits", "Searches and suggestions that a client without a login may ask for."
    )
    search_seconds: PositiveSeconds = _setting(
        5.0, "Limits", "After this time a search answers with what it has."
    )
    request_seconds: PositiveSeconds = _setting(
        20.0, "Limits", "A client that takes longer to send its request is let go."
    )
    request_bytes: Positive = _setting(1_000_000, "Limits", "The longest body of a request.")

    # The query log
    query_log: bool = _setting(
        True,
        "The query log",
        "Remember what was searched for, how much was found and how long it took: never by whom.",
    )
    query_log_days: Positive = _setting(90, "The query log", "Days that it is kept.")
    count_clicks: bool = _setting(
        False, "The query log", "Count which searches led to a click on a result."
    )
    trending: Count = _setting(5, "The query log", "Popular queries on the start page.")
    trending_least: Positive = _setting(
        3, "The query log", "How often a query is asked before it is shown to others."
    )

    # Side panels
    wiki: str = _setting(
        "",
        "Side panels",
        "The API of a MediaWiki for the encyclopedia panel: 'https://en.wikipedia.org/w/api.php'.",
    )
    wiki_private: bool = _setting(
        False, "Side panels", "That wiki may lie in a private network or on this machine."
    )
    shop_index: str = _setting(
        "", "Side panels", "The index of products for queries that say buy, shop or price."
    )
    panel_seconds: PositiveSeconds = _setting(
        2.0, "Side panels", "A panel that takes longer is left out."
    )

    @field_validator("wiki", "public_url")
    @classmethod
    def _is_web_address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must be an address that begins with http:// or https://")
        return value
