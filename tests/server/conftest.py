"""A site over a small web of hostile pages and a shop of hostile goods."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.app.serving import ServeOrder, site_of
from gossamer.config import IndexSettings, ServerSettings
from gossamer.server.application import application
from gossamer.server.site import Site
from gossamer.server.visitors import Role
from tests.crawling import crawl_here
from tests.small_web import SmallWeb, linking

SCRIPT = "<script>alert(1)</script>"
BREAKOUT = "\"'><img src=x onerror=alert(1)>"
PASSWORD = "correct horse battery"

PAGES = {
    "/": linking("/moon", "/secret", "/private", "/quote", title="Start", text="The lighthouse."),
    "/moon": linking(
        title=f"The Moon {SCRIPT.replace('<', '&lt;')}",
        text=f"The moon shines over the lighthouse. {SCRIPT.replace('<', '&lt;')} And again: moon.",
        head="<script>alert('page')</script>",
    ),
    "/secret": linking(
        title="No copy",
        text="A moon that may not be kept.",
        head='<meta name="robots" content="noarchive">',
    ),
    "/quote": linking(title=BREAKOUT.replace("<", "&lt;"), text="Another moon, by a stranger."),
}

GOODS = [
    {
        "id": f"g{number}",
        "url": url,
        "title": f"{name} {SCRIPT}",
        "summary": f"A {name} for children. {BREAKOUT}",
        "brand": brand,
        "price": price,
        "image": image,
        "released": f"2024-0{number}-01",
    }
    for number, (name, brand, price, image, url) in enumerate(
        [
            ("kite", "Wren", 12.5, "http://shop.test/kite.svg", "http://shop.test/kite"),
            ("lantern", SCRIPT, 30.0, "javascript:alert(1)", "javascript:alert(1)"),
            ("kite", "Oak", 20.0, "http://shop.test/kite2.svg", "=cmd()"),
        ],
        1,
    )
]
GOOD_FIELDS = {
    "title": "text",
    "summary": "text",
    "brand": "keyword",
    "price": "number",
    "image": "image",
    "url": "link",
    "released": "date",
}


@pytest.fixture(scope="session")
def built_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("site") / "home"
    with SmallWeb({"web.test": PAGES}) as web:
        seeds = (web.url("web.test"),)
        crawl_here(home, web, seeds=seeds, name="web")  # type: ignore[arg-type]
    documents = home / "goods.jsonl"
    documents.write_text("".join(json.dumps(good) + "\n" for good in GOODS))
    indexes = Indexes(Home(home))
    indexes.build("web", ["web-1"], None, IndexSettings(per_site=0))
    indexes.build("goods", [], documents, IndexSettings(fields=GOOD_FIELDS))
    indexes.close()
    return home


@pytest.fixture
def home(built_home: Path, tmp_path: Path) -> Path:
    """One of the test's own, to change as it likes."""
    return Path(shutil.copytree(built_home, tmp_path / "home"))


class Served:
    """A site, and browsers for it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.app = application(site)

    def browser(self) -> TestClient:
        """It keeps cookies, as one does, and follows no redirect by itself."""
        return TestClient(self.app, base_url="http://localhost", follow_redirects=False)

    def account(self, name: str, role: Role) -> None:
        self.site.access.add_account(name, role)
        self.site.access.set_password(name, PASSWORD)

    def logged_in(self, role: Role = Role.ADMINISTRATOR) -> TestClient:
        if self.site.access.accounts.account(role.value) is None:
            self.account(role.value, role)
        browser = self.browser()
        form = {"name": role.value, "password": PASSWORD, "form_token": form_token(browser)}
        answer = browser.post("/login", data=form)
        assert answer.status_code == 303, answer.text
        return browser

    def program(self, role: Role = Role.ADMINISTRATOR) -> TestClient:
        """With a token."""
        if self.site.access.accounts.account(role.value) is None:
            self.account(role.value, role)
        secret, _ = self.site.access.new_token(role.value, "a program", role)
        client = self.browser()
        client.headers["authorization"] = f"Bearer {secret}"
        return client


def form_token(browser: TestClient, path: str = "/login") -> str:
    text = browser.get(path).text
    return text.split('name="form_token" value="', 1)[1].split('"', 1)[0]


Serve = Callable[..., Served]


@pytest.fixture
def serve(home: Path) -> Iterator[Serve]:
    """Makes a site with settings of the test's choice."""
    made: list[Served] = []

    def serve(**settings: Any) -> Served:
        values = {"searches_per_minute": 0, "default_index": "web", **settings}
        made.append(Served(site_of(ServeOrder(home, ServerSettings(**values)))))
        return made[-1]

    yield serve
    for served in made:
        served.site.engine.close()


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve()


@contextmanager
def living(served: Served) -> Iterator[TestClient]:
    """With what starts and ends with the server."""
    with served.browser() as browser:
        yield browser
