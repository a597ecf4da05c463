"""What the statistics of a run suggest to its owner."""

from collections.abc import Mapping

from gossamer.config import CrawlSettings


def advice(statistics: Mapping[str, float], settings: CrawlSettings) -> list[str]:
    """Lines for people, the most useful first; none when all is well."""

    def number(name: str) -> int:
        return int(statistics.get(name, 0))

    def urls(count: int, one: str, many: str) -> str:
        return f"1 URL {one}" if count == 1 else f"{count:,} URLs {many}"

    lines = []
    if not number("pages") and not number("excluded.robots"):
        lines.append("No server answered: check the address, the network and the proxy settings.")
    if count := number("done.dns_error"):
        names = urls(count, "has a name that does not resolve", "have names that do not resolve")
        lines.append(f"{names}: check the spelling, and the network.")
    if count := number("done.connect_error"):
        lines.append(f"{urls(count, 'did', 'did')} not get a connection: is the server up?")
    if count := number("done.timeout"):
        lines.append(
            f"{urls(count, 'took too long', 'took too long')}: raise request_timeout_seconds, "
            f"or crawl later."
        )
    if count := number("done.tls_error"):
        lines.append(
            f"{urls(count, 'has', 'have')} a certificate that cannot be verified: if the server "
            f"is your own, --no-verify-tls takes it as it is."
        )
    if count := number("done.address_refused"):
        lines.append(
            f"{urls(count, 'leads', 'lead')} into a private network: --allow-private crawls your "
            f"own servers."
        )
    if count := number("done.too_large"):
        lines.append(
            f"{urls(count, 'was', 'were')} too large: see max_wire_bytes and max_body_bytes."
        )
    if count := number("excluded.robots"):
        lines.append(f"{urls(count, 'is', 'are')} closed to us by robots.txt.")
    if (count := number("excluded.scope")) and number("pages") <= 1:
        lines.append(
            f"{urls(count, 'leads', 'lead')} out of the scope '{settings.scope}': see --scope."
        )
    if count := number("backoffs"):
        lines.append(f"Servers asked us {count:,} times to slow down; we did.")
    if count := number("done.poison"):
        lines.append(
            f"{urls(count, 'crashed its', 'crashed their')} parser twice, and is given up."
        )
    return lines
