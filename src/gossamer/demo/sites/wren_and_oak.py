"""Wren & Oak, a shop: cards, breadcrumbs, and data for machines."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date

from gossamer.demo.answers import OPENING_DAY, SVG, Answer, moved, page
from gossamer.demo.drawing import product_picture
from gossamer.demo.furniture import sitemap
from gossamer.demo.html import attribute, document, json_ld, link, long_date, text
from gossamer.demo.library import (
    WHERE,
    WREN_AND_OAK,
    Library,
    article_url,
    product_path,
    product_picture_path,
    product_url,
    slug_of,
)
from gossamer.demo.pdf import write_pdf
from gossamer.demo.reading import Leaflet, Product, Review
from gossamer.demo.site import Query, Site, Slice, sliced

_ON_A_PAGE = 8
_NEW = 4
_LOVED = 8
_FEW_LEFT = 10

_SORTS: dict[str, tuple[str, Callable[[Product], float]]] = {
    "price": ("Price, low to high", lambda product: product.price),
    "price-desc": ("Price, high to low", lambda product: -product.price),
    "rating": ("Best rated", lambda product: -product.rating),
}


class WrenAndOak(Site):
    host = WREN_AND_OAK
    forbidden = ("/basket", "/search")

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._products = list(library.products.values())
        self._categories: dict[str, list[Product]] = defaultdict(list)
        self._brands: dict[str, list[Product]] = defaultdict(list)
        for product in self._products:
            self._categories[product.category].append(product)
            self._brands[product.brand].append(product)
            self.add(product_path(product), self._product, product)
            self.add(product_picture_path(product), _picture, product)
        for name, products in self._categories.items():
            self._add_list(_category_path(name), name, products)
        for name, products in self._brands.items():
            self._add_list(_brand_path(name), name, products)
        self.add("/", self._front)
        self.add("/brands/", self._all_brands)
        self.add("/catalogue.pdf", self._catalogue)
        self.add("/sitemap.xml", self._sitemap)
        self.add_varied("/product.php", self._by_old_number)
        self.move("/shop", "/")
        self.move("/index.php", "/")
        self.move("/category/tents", _category_path("Tents and sleeping"))

    # A product

    def _product(self, product: Product) -> Answer:
        described = self.render(product.description)
        crumbs = [
            ("Home", "/"),
            (product.category, _category_path(product.category)),
            (product.name, product_path(product)),
        ]
        features = "\n".join(f"<li>{text(feature)}</li>" for feature in product.features)
        picture = product_picture_path(product)
        body = f"""<main class="product">
<div class="product__top">
<div class="product__gallery"><img src="{picture}" alt="{attribute(_alt(product))}"
width="400" height="400"></div>
<div class="product__buy">
<p class="product__brand">{link(_brand_path(product.brand), product.brand)}</p>
<h1 class="product__name">{text(product.name)}</h1>
<p>{_stars(product.rating)} <a href="#reviews">{product.rating} of 5, {product.votes} votes</a></p>
<p class="product__summary">{text(product.summary)}</p>
<p class="product__price">{_price(product)}</p>
<p class="product__stock">{_stock(product)}</p>
<p><a class="button" rel="nofollow" href="/basket?add={product.slug}">Add to basket</a></p>
<ul class="product__promises"><li>{link("/delivery", "Free delivery above 80 EUR")}</li>
<li>{link("/returns", "Sixty days to send it back")}</li></ul>
</div>
</div>
<section class="product__description"><h2>Description</h2>
{described.html}
</section>
<section class="product__features"><h2>Features</h2>
<ul>
{features}
</ul>
{_specification(product)}</section>
{self._reviews(product)}
{self._elsewhere(product)}
<section class="product__related"><h2>Goes well with it</h2>
<div class="grid">
{self._cards([self.library.products[slug] for slug in product.related])}
</div></section>
</main>"""
        html = self._framed(
            product.name,
            body,
            path=product_path(product),
            description=product.summary,
            crumbs=crumbs,
            head=self._product_data(product),
        )
        main = [product.name, product.summary, described.text, *product.features]
        main += [review.text for review in product.reviews]
        return page(html, _changed(product), "\n".join(main))

    def _reviews(self, product: Product) -> str:
        if not product.reviews:
            return (
                '<section id="reviews"><h2>Reviews</h2><p>Nobody has written one yet.</p></section>'
            )
        reviews = "\n".join(map(_review, product.reviews))
        return f'<section id="reviews"><h2>Reviews</h2>\n{reviews}\n</section>'

    def _elsewhere(self, product: Product) -> str:
        """What other sites say about it, or about what it is for."""
        items = [
            f"<li>{link(mention.url, mention.title)}, {text(WHERE[mention.kind])}</li>"
            for mention in self.library.mentions.get(("shop", product.slug), [])
        ]
        items += [
            f"<li>{link(article_url(self.library.articles[title]), title)}, in Lantern</li>"
            for title in self.library.subjects.get(product.slug, [])
        ]
        if not items:
            return ""
        listed = "\n".join(items)
        return f"<section><h2>Read more</h2>\n<ul>\n{listed}\n</ul></section>"

    def _product_data(self, product: Product) -> str:
        reviews = [
            {
                "@type": "Review",
                "author": {"@type": "Person", "name": review.author},
                "datePublished": review.date.isoformat(),
                "reviewBody": review.text,
                "reviewRating": {"@type": "Rating", "ratingValue": review.stars},
            }
            for review in product.reviews
        ]
        stock = "InStock" if product.stock else "OutOfStock"
        return json_ld(
            {
                "@type": "Product",
                "name": product.name,
                "sku": product.slug,
                "brand": {"@type": "Brand", "name": product.brand},
                "category": product.category,
                "description": product.summary,
                "image": self.url(product_picture_path(product)),
                "color": product.colour,
                "releaseDate": product.released.isoformat(),
                "weight": {
                    "@type": "QuantitativeValue",
                    "value": product.weight_grams,
                    "unitCode": "GRM",
                },
                "aggregateRating": {
                    "@type": "AggregateRating",
                    "ratingValue": product.rating,
                    "ratingCount": product.votes,
                },
                "offers": {
                    "@type": "Offer",
                    "price": f"{product.price:.2f}",
                    "priceCurrency": "EUR",
                    "availability": f"https://schema.org/{stock}",
                    "url": product_url(product),
                },
                **({"review": reviews} if reviews else {}),
            }
        )

    def _by_old_number(self, query: Query) -> Answer | None:
        number = query.get("id", "")
        if not (number.isascii() and number.isdigit() and len(number) < 6):
            return None
        known = 1 <= int(number) <= len(self._products)
        return moved(product_url(self._products[int(number) - 1])) if known else None

    # Lists

    def _front(self) -> Answer:
        newest = sorted(self._products, key=lambda product: product.released, reverse=True)[:_NEW]
        loved = sorted(self._products, key=lambda product: (-product.rating, -product.votes))[
            :_LOVED
        ]
        tiles = "\n".join(
            f'<a class="tile" href="{_category_path(name)}">'
            f'<img src="{product_picture_path(products[0])}" alt="" width="120" height="120">'
            f"<span>{text(name)}</span></a>"
            for name, products in self._categories.items()
        )
        body = f"""<main>
<section class="hero"><h1>Things that last, and can be mended when they do not.</h1>
<p>For outdoors, kitchen, garden and workshop, chosen and used by people who live by the sea.</p>
<p>{link("/catalogue.pdf", "Download the catalogue (PDF)", class_="button")}</p></section>
<section><h2>What are you looking for?</h2><div class="tiles">
{tiles}
</div></section>
<section><h2>Loved most</h2><div class="grid">
{self._cards(loved)}
</div></section>
<section><h2>New on the shelf</h2><div class="grid">
{self._cards(newest)}
</div></section>
</main>"""
        html = self._framed(
            "Wren & Oak",
            body,
            path="/",
            description="Tents, lamps, cookware, knives, coffee, garden tools, bicycle parts, "
            "telescopes, toys and clothes that last.",
        )
        return page(html, OPENING_DAY)

    def _add_list(self, path: str, name: str, products: list[Product]) -> None:
        def make(query: Query) -> Answer | None:
            part = sliced(len(products), _ON_A_PAGE, query)
            return self._list(path, name, products, part, query) if part else None

        self.add_varied(path, make)

    def _list(
        self, path: str, name: str, products: list[Product], part: Slice, query: Query
    ) -> Answer:
        sort = query.get("sort", "")
        order = _SORTS.get(sort)
        shown = sorted(products, key=order[1]) if order else products
        suffix = f"sort={sort}" if order else ""
        body = f"""<main>
<h1>{text(name)}</h1>
<p class="bar">{len(products)} things. Sort by: {_sort_links(path, sort)}</p>
<div class="grid">
{self._cards(shown[part.start : part.stop])}
</div>
{_pages(path, part, suffix)}
</main>"""
        canonical = path if part.number == 1 else f"{path}?page={part.number}"
        crumbs = [("Home", "/"), (name, path)]
        if path.startswith("/brand/"):
            crumbs.insert(1, ("Brands", "/brands/"))
        html = self._framed(
            name if part.number == 1 else f"{name}, page {part.number}",
            body,
            path=path,
            query=canonical.removeprefix(path),
            description=f"{name} at Wren & Oak: " + ", ".join(p.name for p in products[:4]),
            crumbs=crumbs,
        )
        return page(html, max(map(_changed, products)))

    def _all_brands(self) -> Answer:
        items = "\n".join(
            f"<li>{link(_brand_path(name), name)} ({len(self._brands[name])})</li>"
            for name in sorted(self._brands)
        )
        html = self._framed(
            "Brands",
            f'<main><h1>Brands</h1>\n<ul class="brands">\n{items}\n</ul></main>',
            path="/brands/",
            description="All brands at Wren & Oak.",
            crumbs=[("Home", "/"), ("Brands", "/brands/")],
        )
        return page(html)

    def _cards(self, products: Sequence[Product]) -> str:
        return "\n".join(map(_card, products))

    # Pages that stand alone

    def leaflet(self, leaflet: Leaflet) -> Answer:
        rendered = self.render(leaflet.body)
        html = self._framed(
            leaflet.title,
            f'<main class="prose"><h1>{text(leaflet.title)}</h1>\n{rendered.html}\n</main>',
            path=leaflet.path,
            description=leaflet.fields["description"],
            robots=leaflet.fields.get("robots", ""),
            crumbs=[("Home", "/"), (leaflet.title, leaflet.path)],
        )
        return page(html, OPENING_DAY, f"{leaflet.title}\n{rendered.text}")

    def missing(self) -> Answer:
        body = f"""<main class="prose"><h1>Sold out, or never here</h1>
<p>There is no page at this address. {link("/", "Back to the shop")}.</p></main>"""
        html = self._framed("Page not found", body, path="", robots="noindex")
        return Answer(html.encode(), status=404)

    def _framed(
        self,
        title: str,
        body: str,
        *,
        path: str,
        query: str = "",
        description: str = "",
        robots: str = "",
        crumbs: Sequence[tuple[str, str]] = (),
        head: str = "",
    ) -> str:
        menu = "\n".join(
            f"<li>{link(_category_path(name), name)}</li>" for name in self._categories
        )
        if crumbs:
            head += "\n" + self._crumb_data(crumbs)
        return document(
            title="Wren & Oak: things that last" if path == "/" else f"{title} – Wren & Oak",
            description=description,
            canonical=self.url(path) + query if path else "",
            robots=robots,
            head=head,
            body=f"""<body class="shop">
<div class="topline">Free delivery above 80 EUR · Repairs in our own workshop</div>
<header class="site-header">
<a class="site-header__logo" href="/">Wren <span>&amp;</span> Oak</a>
<nav class="site-header__menu" aria-label="Categories"><ul>
{menu}
</ul></nav>
<a class="site-header__basket" rel="nofollow" href="/basket">Basket (0)</a>
</header>
{_crumb_bar(crumbs)}
{body}
<footer class="site-footer"><div>
<div><h2>Shop</h2><ul><li>{link("/brands/", "Brands")}</li>
<li>{link("/catalogue.pdf", "Catalogue")}</li><li>{link("/delivery", "Delivery")}</li>
<li>{link("/returns", "Returns and repairs")}</li></ul></div>
<div><h2>House</h2><ul><li>{link("/about", "About us")}</li>
<li>{link("http://courier.example/tag/shops", "In the news")}</li>
<li>{link("http://longbench.example/", "Ask on The Long Bench")}</li></ul></div>
<div><h2>Newsletter</h2><p>Four letters a year, one for each season.</p></div>
</div><p class="small">Wren &amp; Oak, Rope Walk 3, Port Ellery. Prices include VAT.</p></footer>
</body>""",
        )

    def _crumb_data(self, crumbs: Sequence[tuple[str, str]]) -> str:
        items = [
            {"@type": "ListItem", "position": place, "name": name, "item": self.url(path)}
            for place, (name, path) in enumerate(crumbs, start=1)
        ]
        return json_ld({"@type": "BreadcrumbList", "itemListElement": items})

    # For machines, and to take home

    def _sitemap(self) -> Answer:
        lists = ["/", "/brands/", "/catalogue.pdf"]
        lists += [_category_path(name) for name in self._categories]
        lists += [leaf.path for leaf in self.leaflets.values() if "robots" not in leaf.fields]
        entries = [(product_url(product), _changed(product)) for product in self._products]
        return sitemap([*entries, *((self.url(path), OPENING_DAY) for path in lists)])

    def _catalogue(self) -> Answer:
        lines = ["# Wren & Oak: the catalogue", "Things that last. Prices in euros, VAT included."]
        for name, products in self._categories.items():
            lines += ["", f"# {name}"]
            for product in products:
                price = f"{product.price:.2f} EUR"
                lines += [f"{product.name} ({product.colour}), {price}", product.summary, ""]
        body = write_pdf("Wren & Oak: the catalogue", "\n".join(lines))
        main = "\n".join(line.removeprefix("# ") for line in lines if line)
        return Answer(body, "application/pdf", modified=OPENING_DAY, main=main)


def _category_path(category: str) -> str:
    return f"/c/{slug_of(category)}/"


def _brand_path(brand: str) -> str:
    return f"/brand/{slug_of(brand)}/"


def _picture(product: Product) -> Answer:
    return Answer(product_picture(product).encode(), SVG, modified=product.released)


def _alt(product: Product) -> str:
    return f"{product.name}, {product.colour}"


def _changed(product: Product) -> date:
    return max([product.released, *(review.date for review in product.reviews)])


def _price(product: Product) -> str:
    return f"{product.price:.2f} EUR"


def _stock(product: Product) -> str:
    if not product.stock:
        return "Sold out, back soon"
    if product.stock <= _FEW_LEFT:
        return f"Only {product.stock} left"
    return f"In stock: {product.stock}"


def _stars(rating: float) -> str:
    full = round(rating)
    shown = "★" * full + "☆" * (5 - full)
    return f'<span class="stars" role="img" aria-label="{rating} of 5 stars">{shown}</span>'


def _card(product: Product) -> str:
    path = product_path(product)
    return f"""<article class="card"><a class="card__picture" href="{path}"><img
src="{product_picture_path(product)}" alt="{attribute(_alt(product))}"
width="220" height="220" loading="lazy"></a>
<h3 class="card__name">{link(path, product.name)}</h3>
<p class="card__rating">{_stars(product.rating)} ({product.votes})</p>
<p class="card__price">{_price(product)}</p></article>"""


def _specification(product: Product) -> str:
    rows = [
        ("Brand", product.brand),
        ("Colour", product.colour),
        ("Weight", f"{product.weight_grams:,} g"),
        ("On the shelf since", long_date(product.released)),
    ]
    cells = "\n".join(
        f'<tr><th scope="row">{name}</th><td>{text(value)}</td></tr>' for name, value in rows
    )
    return f'<table class="specification">\n{cells}\n</table>'


def _review(review: Review) -> str:
    return f"""<article class="review"><p>{_stars(review.stars)} <b>{text(review.author)}</b>,
<time datetime="{review.date.isoformat()}">{long_date(review.date)}</time></p>
<p>{text(review.text)}</p></article>"""


def _sort_links(path: str, current: str) -> str:
    links = ["<b>Our order</b>" if current not in _SORTS else link(path, "Our order")]
    for name, (shown, _) in _SORTS.items():
        links.append(f"<b>{shown}</b>" if name == current else link(f"{path}?sort={name}", shown))
    return " · ".join(links)


def _pages(path: str, part: Slice, suffix: str) -> str:
    if part.last == 1:
        return ""
    links = []
    for number in range(1, part.last + 1):
        query = "&".join(filter(None, [suffix, f"page={number}" if number > 1 else ""]))
        url = f"{path}?{query}" if query else path
        links.append(f"<b>{number}</b>" if number == part.number else link(url, number))
    return f'<nav class="pages" aria-label="Pages">{" ".join(links)}</nav>'


def _crumb_bar(crumbs: Sequence[tuple[str, str]]) -> str:
    if not crumbs:
        return ""
    *before, (last, _) = crumbs
    links = "".join(f"<li>{link(path, name)}</li>" for name, path in before)
    return (
        f'<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol>{links}'
        f'<li aria-current="page">{text(last)}</li></ol></nav>'
    )
