"""The Long Bench, a forum: boards, threads and posts in nested boxes, and votes."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from zlib import crc32

from gossamer.demo.answers import OPENING_DAY, Answer, page
from gossamer.demo.docx import write_docx
from gossamer.demo.furniture import Item, atom, sitemap
from gossamer.demo.html import attribute, document, link, long_date, text
from gossamer.demo.library import (
    LONG_BENCH,
    WHERE,
    Library,
    article_url,
    thread_path,
    thread_url,
)
from gossamer.demo.markup import ARTICLE, Rendered, render, summary_of
from gossamer.demo.reading import Leaflet, Post, Thread
from gossamer.demo.site import Query, Site, Slice, sliced

BOARDS = {
    "cooking": "Pots, pans, dough and what went wrong with it",
    "garden": "Beds, balconies, compost and slugs",
    "bicycles": "Chains, wheels, and the noise that only you can hear",
    "workshop": "Wood, metal, paint and things with a plug",
    "computers": "Programs, machines and people in front of them",
    "travel": "Trains, tents and timetables",
    "books": "Read, reading, and what was that one called",
    "stargazing": "Telescopes, comets and cold feet",
}
_POSTS_ON_A_PAGE = 4
_THREADS_ON_A_PAGE = 5
_LATEST_ON_A_PAGE = 12
_IN_FEED = 25
_LANTERN_MOVED = 2024
"""Older posts still link to the encyclopedia's addresses of before."""
_SIGNATURES = (
    "Measure twice, swear once.",
    "There is no bad weather, only wet socks.",
    "Sent from my shed.",
    "If it works, take it apart and see why.",
    "Port Ellery, third bench from the left",
    "Slow is smooth, smooth is done by supper.",
    "My other bicycle is also broken.",
    "Ask me about compost. Please.",
    "Read the manual, then read it again.",
    "Still looking for the 10 mm spanner.",
    "A cloudy sky is a good night for reading.",
)


class LongBench(Site):
    host = LONG_BENCH
    forbidden = ("/login", "/reply")

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._threads = sorted(
            library.threads.values(), key=lambda thread: (_last_post(thread), thread.slug)
        )[::-1]
        self._boards: dict[str, list[Thread]] = defaultdict(list)
        self._posts: dict[str, list[tuple[Thread, int]]] = defaultdict(list)
        started = sorted(library.threads.values(), key=lambda each: (each.posts[0].date, each.slug))
        self._numbers = {thread.slug: number for number, thread in enumerate(started, start=1)}
        for thread in self._threads:
            self._boards[thread.board].append(thread)
            for place, post in enumerate(thread.posts):
                self._posts[post.author].append((thread, place))
            path = thread_path(thread)
            self.add_varied(path, self._thread, thread)
            self.add(f"/printthread/{thread.slug}", self._printed, thread)
            self.move(f"/t/{self._numbers[thread.slug]}", path)
        for board in BOARDS:
            self.add_varied(f"/board/{board}/", self._board, board)
        for author in self._posts:
            self.add(f"/user/{author}", self._user, author)
        self.add("/", self._front)
        self.add_varied("/latest", self._latest)
        self.add("/reply", self.leaflet, self.leaflets["/login"])
        self.add("/feed.atom", self._feed)
        self.add("/rules.docx", self._rules)
        self.add("/sitemap.xml", self._sitemap)
        self.move("/index.php", "/")
        self.move("/forum", "/")

    # A thread

    def _thread(self, thread: Thread, query: Query) -> Answer | None:
        part = sliced(len(thread.posts), _POSTS_ON_A_PAGE, query)
        if part is None:
            return None
        shown = range(part.start, min(part.stop, len(thread.posts)))
        rendered = {place: self._rendered(thread.posts[place]) for place in shown}
        best = _best(thread)
        posts = "\n".join(
            self._post(thread, place, rendered[place].html, place == best) for place in shown
        )
        path = thread_path(thread)
        where = path if part.number == 1 else f"{path}?page={part.number}"
        short = self.url(f"/t/{self._numbers[thread.slug]}")
        answers = len(thread.posts) - 1
        body = f"""<div class="crumbs">{link("/", "The Long Bench")} »
{link(f"/board/{thread.board}/", thread.board.title())}</div>
<div class="thread" itemscope itemtype="https://schema.org/QAPage">
<div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
<h1 itemprop="name">{text(thread.title)}</h1>
<div class="thread-info"><span itemprop="answerCount">{answers}</span> answers ·
{_turn(path, part)}</div>
{posts}
</div></div>
<div class="thread-tools">{_turn(path, part)} · <a rel="nofollow"
href="/reply?thread={thread.slug}">Write an answer</a> ·
{link(f"/printthread/{thread.slug}", "Printable view")} · Share: <a href="{short}">{short}</a></div>
{self._elsewhere(thread)}
{self._similar(thread)}"""
        html = self._framed(
            thread.title if part.number == 1 else f"{thread.title} (page {part.number})",
            body,
            path=where,
            description=summary_of(self._rendered(thread.posts[0]).text),
        )
        main = [thread.title, *(rendered[place].text for place in shown)]
        return page(html, _last_post(thread), "\n".join(main))

    def _post(self, thread: Thread, place: int, html: str, is_best: bool) -> str:
        post = thread.posts[place]
        kind = "question" if place == 0 else "answer"
        marked = (
            ""
            if place == 0
            else (
                f' itemprop="{"acceptedAnswer" if is_best else "suggestedAnswer"}" itemscope '
                'itemtype="https://schema.org/Answer"'
            )
        )
        tick = '<span class="best" title="Best answer">✓ best answer</span>' if is_best else ""
        signature = _signature(post.author)
        if is_best:
            kind += " is-best"
        return f"""<div class="post {kind}" id="post-{place + 1}"{marked}>
<div class="votes"><span aria-hidden="true">▲</span><b itemprop="upvoteCount">{post.votes}</b>
<span aria-hidden="true">▼</span></div>
<div class="post-body">
<div class="post-head">{_avatar(post.author)} {link(f"/user/{post.author}", post.author)}
<time datetime="{post.date.isoformat()}">{long_date(post.date)}</time> {tick}
<a class="number" href="#post-{place + 1}">#{place + 1}</a></div>
<div class="post-text" itemprop="text">
{html}
</div>
{f'<div class="signature">{text(signature)}</div>' if signature else ""}
</div></div>"""

    def _rendered(self, post: Post) -> Rendered:
        def address_of(kind: str, name: str) -> str:
            if kind == ARTICLE and post.date.year < _LANTERN_MOVED:
                url = article_url(self.library.articles[name])
                return url.replace("/wiki/", "/article/", 1)
            return self.address_of(kind, name)

        return render(post.body, address_of)

    def _printed(self, thread: Thread) -> Answer:
        rendered = [self._rendered(post) for post in thread.posts]
        posts = "\n<hr>\n".join(
            f"<p><b>{text(post.author)}</b>, {long_date(post.date)}</p>\n{made.html}"
            for post, made in zip(thread.posts, rendered, strict=True)
        )
        body = f"""<body class="print"><h1>{text(thread.title)}</h1>
{posts}
<hr><p>{link(thread_path(thread), "Back to the thread")}</p></body>"""
        html = document(title=thread.title, canonical=thread_url(thread), body=body)
        main = [thread.title, *(made.text for made in rendered)]
        return page(html, _last_post(thread), "\n".join(main))

    def _elsewhere(self, thread: Thread) -> str:
        mentions = self.library.mentions.get(("forum", thread.slug), [])
        if not mentions:
            return ""
        items = "\n".join(
            f"<li>{link(mention.url, mention.title)}, {text(WHERE[mention.kind])}</li>"
            for mention in mentions
        )
        return f'<div class="box"><h2>This thread elsewhere</h2><ul>\n{items}\n</ul></div>'

    def _similar(self, thread: Thread) -> str:
        others = [other for other in self._boards[thread.board] if other is not thread][:4]
        items = "\n".join(f"<li>{link(thread_path(other), other.title)}</li>" for other in others)
        return f'<div class="box"><h2>More on this board</h2><ul>\n{items}\n</ul></div>'

    # Lists

    def _front(self) -> Answer:
        rows = "\n".join(
            f"""<tr><td><h2>{link(f"/board/{board}/", board.title())}</h2><p>{text(about)}</p></td>
<td class="n">{len(self._boards[board])}</td>
<td class="n">{sum(len(thread.posts) for thread in self._boards[board])}</td>
<td>{_newest(self._boards[board])}</td></tr>"""
            for board, about in BOARDS.items()
        )
        best = sorted(self._threads, key=lambda thread: -thread.posts[0].votes)[:6]
        popular = "\n".join(f"<li>{link(thread_path(each), each.title)}</li>" for each in best)
        body = f"""<h1>Sit down and ask</h1>
<p class="intro">A forum for practical questions. {len(self._threads)} threads,
{sum(len(thread.posts) for thread in self._threads)} posts, {len(self._posts)} members.
Please read the {link("/rules", "house rules")} ({link("/rules.docx", "as DOCX")}).</p>
<table class="boards"><thead><tr><th scope="col">Board</th><th scope="col">Threads</th>
<th scope="col">Posts</th><th scope="col">Newest</th></tr></thead>
<tbody>
{rows}
</tbody></table>
<div class="box"><h2>Popular questions</h2><ul>
{popular}
</ul><p>{link("/latest", "Latest posts")}</p></div>"""
        html = self._framed(
            "The Long Bench",
            body,
            path="/",
            description="Questions and answers about cooking, gardens, bicycles, workshops, "
            "computers, travel, books and the stars.",
        )
        return page(html, _last_post(self._threads[0]))

    def _board(self, board: str, query: Query) -> Answer | None:
        threads = self._boards[board]
        part = sliced(len(threads), _THREADS_ON_A_PAGE, query)
        if part is None:
            return None
        return self._list(f"/board/{board}/", board.title(), BOARDS[board], threads, part)

    def _latest(self, query: Query) -> Answer | None:
        part = sliced(len(self._threads), _LATEST_ON_A_PAGE, query)
        if part is None:
            return None
        return self._list("/latest", "Latest posts", "On all boards", self._threads, part)

    def _list(
        self, path: str, title: str, about: str, threads: Sequence[Thread], part: Slice
    ) -> Answer:
        rows = "\n".join(map(_row, threads[part.start : part.stop]))
        body = f"""<div class="crumbs">{link("/", "The Long Bench")}</div>
<h1>{text(title)}</h1>
<p class="intro">{text(about)}. {_turn(path, part)}</p>
<div class="threads">
{rows}
</div>
<div class="thread-tools">{_turn(path, part)}</div>"""
        html = self._framed(
            title if part.number == 1 else f"{title} (page {part.number})",
            body,
            path=path if part.number == 1 else f"{path}?page={part.number}",
            description=f"{title} on The Long Bench: {about}.",
        )
        return page(html, _last_post(threads[0]))

    def _user(self, author: str) -> Answer:
        posts = self._posts[author]
        items = "\n".join(
            f"<li>{long_date(thread.posts[place].date)}: {'answered' if place else 'asked'} "
            f"{link(_place_path(thread, place), thread.title)}</li>"
            for thread, place in posts
        )
        votes = sum(thread.posts[place].votes for thread, place in posts)
        signature = _signature(author)
        body = f"""<h1>{_avatar(author)} {text(author)}</h1>
<p class="intro">{len(posts)} posts, {votes} votes.
{text(f"“{signature}”" if signature else "")}</p>
<ul>
{items}
</ul>"""
        html = self._framed(author, body, path=f"/user/{author}", robots="noindex, follow")
        return page(html, max(thread.posts[place].date for thread, place in posts))

    # Pages that stand alone

    def leaflet(self, leaflet: Leaflet) -> Answer:
        rendered = self.render(leaflet.body)
        html = self._framed(
            leaflet.title,
            f'<div class="leaf"><h1>{text(leaflet.title)}</h1>\n{rendered.html}\n</div>',
            path=leaflet.path,
            description=leaflet.fields["description"],
            robots=leaflet.fields.get("robots", ""),
        )
        return page(html, OPENING_DAY, f"{leaflet.title}\n{rendered.text}")

    def missing(self) -> Answer:
        body = f"""<h1>This seat is empty</h1>
<p>There is no page here. {link("/", "All boards")} or {link("/latest", "latest posts")}.</p>"""
        html = self._framed("Not found", body, path="", robots="noindex")
        return Answer(html.encode(), status=404)

    def _framed(
        self, title: str, body: str, *, path: str, description: str = "", robots: str = ""
    ) -> str:
        boards = " ".join(link(f"/board/{board}/", board.title()) for board in BOARDS)
        plain, mark, query = path.partition("?")
        feed = self.url("/feed.atom")
        return document(
            title=title if path == "/" else f"{title} • The Long Bench",
            description=description,
            canonical=self.url(plain) + mark + query if path else "",
            robots=robots,
            head='<link rel="alternate" type="application/atom+xml" title="Threads" '
            f'href="{feed}">',
            body=f"""<body>
<div class="wrap">
<div class="banner"><a href="/">The Long Bench</a><div class="account"><a rel="nofollow"
href="/login">Log in</a></div></div>
<div class="boardbar" role="navigation" aria-label="Boards">{boards}
{link("/latest", "Latest")}</div>
<div class="page" role="main">
{body}
</div>
<div class="foot">{link("/about", "About")} · {link("/rules", "House rules")} ·
{link("/rules.docx", "Rules (DOCX)")} · {link("/feed.atom", "Atom feed")} ·
{link("http://lantern.example/", "Lantern")} ·
{link("http://courier.example/", "The Harbour Courier")} ·
{link("http://wrenandoak.example/", "Wren & Oak")}<br>
All answers are given in good faith and without guarantee.</div>
</div>
</body>""",
        )

    # For machines, and to take home

    def _feed(self) -> Answer:
        items = (
            Item(
                thread.title,
                thread_url(thread),
                _last_post(thread),
                thread.posts[0].author,
                summary_of(self._rendered(thread.posts[0]).text, 300),
            )
            for thread in self._threads[:_IN_FEED]
        )
        return atom("The Long Bench", self.url("/"), self.url("/feed.atom"), items)

    def _rules(self) -> Answer:
        rules = self.leaflets["/rules"]
        headings = {f"## {heading}" for _, heading in self.render(rules.body).headings}
        lines = [
            "# " + line.removeprefix("## ") if line in headings else line.replace("*", "")
            for line in rules.body.splitlines()
            if line
        ]
        body = write_docx(rules.title, "\n".join([f"# {rules.title}", *lines]))
        main = "\n".join([rules.title, *(line.removeprefix("# ") for line in lines)])
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        return Answer(body, kind, modified=OPENING_DAY, main=main)

    def _sitemap(self) -> Answer:
        lists = ["/", "/latest", "/rules.docx", *(f"/board/{board}/" for board in BOARDS)]
        lists += [leaf.path for leaf in self.leaflets.values() if "robots" not in leaf.fields]
        entries = [(thread_url(thread), _last_post(thread)) for thread in self._threads]
        return sitemap([*entries, *((self.url(path), OPENING_DAY) for path in lists)])


def _last_post(thread: Thread) -> date:
    return max(post.date for post in thread.posts)


def _best(thread: Thread) -> int:
    """The place of the answer with the most votes."""
    return max(range(1, len(thread.posts)), key=lambda place: thread.posts[place].votes)


def _place_path(thread: Thread, place: int) -> str:
    number = place // _POSTS_ON_A_PAGE + 1
    query = f"?page={number}" if number > 1 else ""
    return f"{thread_path(thread)}{query}#post-{place + 1}"


def _newest(threads: Sequence[Thread]) -> str:
    return (
        f"{link(thread_path(threads[0]), threads[0].title)}<br>{long_date(_last_post(threads[0]))}"
    )


def _signature(author: str) -> str:
    number = crc32(author.encode())
    return _SIGNATURES[number // 3 % len(_SIGNATURES)] if number % 3 == 0 else ""


def _avatar(author: str) -> str:
    hue = crc32(author.encode()) % 360
    return (
        f'<span class="avatar" style="background:hsl({hue} 45% 42%)" aria-hidden="true">'
        f"{attribute(author[0].upper())}</span>"
    )


def _turn(path: str, part: Slice) -> str:
    """Links to the pages of a list."""
    links = [
        f"<b>{number}</b>"
        if number == part.number
        else link(path if number == 1 else f"{path}?page={number}", number)
        for number in range(1, part.last + 1)
    ]
    return "Page " + " ".join(links)


def _row(thread: Thread) -> str:
    question = thread.posts[0]
    answers = len(thread.posts) - 1
    return f"""<div class="row"><div class="counts"><span><b>{question.votes}</b> votes</span>
<span class="answers"><b>{answers}</b> answers</span></div>
<div><div class="row-title">{link(thread_path(thread), thread.title)}</div>
<div class="row-info">{link(f"/board/{thread.board}/", thread.board.title())} · asked by
{link(f"/user/{question.author}", question.author)} · last post
{long_date(_last_post(thread))}</div>
</div></div>"""
