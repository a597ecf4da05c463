# ruff: noqa: E501
"""Layouts of pages from the time of tables, fonts and forms around everything."""

from tests.extract.layouts.page import Page


def table_columns(page: Page) -> str:
    """Three columns of a table: links, text, links."""
    p = page
    text = "<p>\n".join(
        f'<font face="Verdana" size="2">{p.linked(p.number(2, 5))}</font>'
        for _ in range(p.number(4, 8))
    )
    links = "".join(
        f'<tr><td><a href="{p.href()}"><font size="1">{p.word()}</font></a></td></tr>'
        for _ in range(14)
    )
    return f"""<HTML><HEAD><TITLE>{p.title}</TITLE></HEAD><BODY BGCOLOR="#FFFFFF"><TABLE WIDTH="760"
CELLPADDING=0><TR><TD COLSPAN=3><A HREF="/"><IMG SRC="logo.gif" ALT="Home"></A>
{p.menu(6, "", " | ")}</TD></TR><TR><TD WIDTH=130 VALIGN=top BGCOLOR="#EEEECC"><TABLE>{links}</TABLE>
</TD><TD VALIGN=top><H2>{p.headline()}</H2><FONT SIZE=1>{p.date()}</FONT><P>{text}</TD>
<TD WIDTH=150 VALIGN=top><B>Headlines</B><BR>{p.stories(8, "", "<BR>")}</TD></TR><TR><TD COLSPAN=3
ALIGN=center><HR><FONT SIZE=1>{p.menu(5, "", " - ")}<BR>Copyright 2001 {p.name()}. All rights
reserved.</FONT></TD></TR></TABLE></BODY></HTML>"""


def homepage_of_1998(page: Page) -> str:
    """Hardly any boilerplate at all."""
    p = page
    return f"""<html><head><title>{p.title}</title></head><body text="#000000"><center><h1>
{p.headline()}</h1></center><hr>{p.paragraphs(3, "<p>", "")}<h2>{p.heading()}</h2>
{p.paragraphs(p.number(2, 6), "<p>", "")}<ul>{p.items(4, "<li>", "")}</ul><pre>
{p.keep("name      height")}
{p.keep("oak           21")}
{p.keep("elm           18")}
</pre>{p.paragraphs(2, "<p>", "")}<hr><a href="index.html">Back to the home page</a><br><i>Last
updated {p.date()}</i><br><a href="mailto:me@example.org">Mail me</a></body></html>"""


def server_form(page: Page) -> str:
    """One form around the whole page, and ids made by the server."""
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head><body><form method="post"
id="aspnetForm"><div class="aspNetHidden"></div><div id="ctl00_pnlHeader"><div id="ctl00_TopMenu"
class="AspNet-Menu-Horizontal"><ul class="AspNet-Menu">{p.menu(12)}</ul></div></div><table
width="100%"><tr><td class="leftnav" valign="top"><div id="ctl00_LeftNav">{p.menu(9, "<div>", "</div>")}
</div></td><td valign="top"><div id="ctl00_ContentPlaceHolder1_pnl"><span id="ctl00_lblTitle"><h1>
{p.headline()}</h1></span><span id="ctl00_lblDate">{p.date()}</span><div id="ctl00_lblBody">
{p.paragraphs(p.number(3, 7))}<h3>{p.heading()}</h3><ul>{p.items(4)}</ul>{p.paragraphs(2)}</div>
</div></td><td class="rightnav" valign="top"><div class="quicklinks"><h4>Quick links</h4>
{p.menu(6, "<div>", "</div>")}</div></td></tr></table><div id="ctl00_Footer" class="footerText">
© 2009 County of {p.word()}. {p.menu(4, "", " | ")}</div></form></body></html>"""


def nested_tables(page: Page) -> str:
    """Tables in tables, text broken by br elements, spacer images."""
    p = page
    text = "<br><br>".join(p.linked(p.number(2, 4)) for _ in range(p.number(4, 8)))
    box = "".join(
        f'<table width="100%"><tr><td bgcolor="#003366"><font color="white"><b>{p.word()}</b></font>'
        f"</td></tr><tr><td>{p.stories(4, '', '<br>')}</td></tr></table>"
        for _ in range(3)
    )
    return f"""<html><head><title>{p.title}</title></head><body><table width="100%" border="0"><tr><td>
<table width="100%"><tr><td>{p.menu(7, '<td class="topmenu">', "</td>")}</tr></table></td></tr><tr><td>
<table width="100%" border="0"><tr><td width="170" valign="top">{box}</td><td width="10"><img
src="spacer.gif"></td><td valign="top"><table width="100%"><tr><td class="headline"><b>{p.headline()}
</b></td></tr><tr><td class="small">By {p.name()}, {p.date()}</td></tr><tr><td class="story">{text}
</td></tr><tr><td align="right"><a href="/print">Printer friendly version</a> <a href="/mail">Send to a
friend</a></td></tr></table></td><td width="140" valign="top"><font size="1"><b>Advertisement</b><br>
<a href="/ad">{p.noise()}</a></font></td></tr></table></td></tr><tr><td align="center"><font size="1">
{p.menu(6, "", " | ")}<br>{p.noise()}</font></td></tr></table></body></html>"""


def mailing_list(page: Page) -> str:
    """The archive of a mailing list: the message is preformatted."""
    p = page
    body = "\n\n".join(p.say(2) for _ in range(p.number(3, 6)))
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><TITLE>[list] {p.title}
</TITLE></HEAD><BODY BGCOLOR="#ffffff"><H1>[list] {p.headline()}</H1><B>{p.name()}</B> <A
HREF="mailto:x%40example.org">x at example.org</A><BR><I>{p.date()}</I><P><UL><LI>Previous message: <A
HREF="1.html">[list] {p.label()}</A></li><LI>Next message: <A HREF="3.html">[list] {p.label()}</A></li>
<LI><B>Messages sorted by:</B> <a href="date.html">[ date ]</a> <a href="thread.html">[ thread ]</a>
</LI></UL><HR><PRE>{body}
</PRE><HR><P><UL><LI>Previous message: <A HREF="1.html">[list] {p.label()}</A></li><LI>Next message: <A
HREF="3.html">[list] {p.label()}</A></li></UL><hr><a href="/l">More information about the list</a><br>
</BODY></HTML>"""


def shareware_page(page: Page) -> str:
    p = page
    return f"""<html><head><title>{p.title}</title></head><body><div align="center"><table
class="maintable" width="90%"><tr><td class="header" colspan="2"><b>{p.name()} Software</b></td></tr>
<tr><td class="menu" width="120" valign="top">{p.menu(8, "", "<br>")}</td><td class="main"
valign="top"><h1>{p.headline()}</h1><p>{p.linked(2)}</p><h2>{p.heading()}</h2><ul>{p.items(6)}</ul>
<h2>{p.heading()}</h2>{p.paragraphs(p.number(2, 4))}<table border="1"><tr><th>{p.keep("Version")}</th>
<th>{p.keep("Size")}</th></tr><tr><td>{p.keep("1.2")}</td><td>{p.keep("340 KB")}</td></tr><tr><td>
{p.keep("1.1")}</td><td>{p.keep("310 KB")}</td></tr></table></td></tr><tr><td class="footer"
colspan="2">Copyright 2004 {p.name()} Software | <a href="/c">Contact</a></td></tr></table></div>
</body></html>"""


LAYOUTS = (
    table_columns,
    homepage_of_1998,
    server_form,
    nested_tables,
    mailing_list,
    shareware_page,
)
