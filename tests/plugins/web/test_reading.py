"""Pages and texts become what a person would read of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_plugin_web.fetching import Answer
from agenthost_plugin_web.media import medium_of
from agenthost_plugin_web.pages import Page
from agenthost_plugin_web.reading import read_answer
from agenthost_sdk import ToolError

ARTICLE = """<!doctype html>
<html><head><title> Tea &amp; &lt;time&gt;
 </title><base href="/docs/"><style>p { color: red }</style></head><body>
<header><nav><a href="/">Home</a> <a href="/about">About us</a></nav></header>
<main><h1>Tea</h1>
<p>Loose-leaf tea steeps best just off the boil, see <a href="brew.html">brewing</a>,
<a href="javascript:alert(1)">this</a>, <a href="data:text/html,x">that</a> and
<a href="http://[bad">those</a>. It is *not* some_name.</p>
<p><img src="pot.png" alt="A pot"><img src="data:image/png;base64,AAAA"></p>
<table><tr><th>Tea<th>Minutes</tr><tr><td>Green<td>2</tr></table>
<ul><li>one<ul><li>two</ul></ul><pre><code>x = 1
y = 2</code></pre>
<script>document.write("written")</script><noscript>Turn scripts on</noscript>
<p style="display: none">unseen one</p><p hidden>unseen two</p><p aria-hidden="true">unseen 3</p>
<!-- a comment --><iframe src="x">frame</iframe><button>Buy</button></main>
<aside>Advertisement</aside><footer>Imprint</footer></body></html>"""

ARTICLE_TEXT = """# Tea

Loose-leaf tea steeps best just off the boil, see [brewing](https://tea.example/docs/brew.html), \
this, that and those. It is *not* some_name.

A pot

| Tea | Minutes |
| --- | --- |
| Green | 2 |

- one
  - two

```
x = 1
y = 2
```"""


def read(
    body: str | bytes,
    content_type: str = "text/html",
    *,
    status: int = 200,
    is_whole: bool = False,
) -> Page:
    content = body.encode() if isinstance(body, str) else body
    url = "https://tea.example/a/b"
    answer = Answer(url, status, "Words", medium_of(content_type), content)
    return read_answer(answer, is_whole=is_whole)


def test_the_main_part_of_a_page_is_read_as_a_person_sees_it() -> None:
    assert read(ARTICLE) == Page("Tea & <time>", ARTICLE_TEXT)


def test_the_whole_of_a_page_has_what_is_around_it_too() -> None:
    text = read(ARTICLE, is_whole=True).text

    assert text.startswith("[Home](https://tea.example/) [About us](https://tea.example/about)")
    assert text.endswith("Advertisement\n\nImprint")
    assert ARTICLE_TEXT in text


def test_a_page_of_links_is_read_though_it_has_no_article() -> None:
    rows = "".join(f"<li><a href='/{n}'>The news number {n}</a>" for n in range(50))

    text = read(f"<body><nav>Menu</nav><ul>{rows}</ul><p>One paragraph, one only.</p>").text

    assert "- [The news number 49](https://tea.example/49)" in text
    assert "One paragraph" in text
    assert "Menu" not in text


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/ld+json; charset=utf-8",
        "application/vnd.api+json",
        "text/plain",
        "text/csv",
        "text/markdown;charset=UTF-8",
        "application/rss+xml",
        "image/svg+xml",
        "application/yaml",
        "",
        "nonsense",
    ],
)
def test_a_text_passes_as_it_is(content_type: str) -> None:
    assert read('{"a": "<b>&amp;\\u00e9"}\r\n', content_type).text == '{"a": "<b>&amp;\\u00e9"}'


def test_a_page_without_a_type_is_known_by_its_start() -> None:
    assert read("\n<!DOCTYPE html><title>A</title><p>b", "") == Page("A", "b")
    assert read("<html><p>b", "").text == "b"


@pytest.mark.parametrize(
    "content_type",
    ["application/pdf", "image/png", "application/octet-stream", "video/mp4", "multipart/mixed"],
)
def test_other_kinds_are_refused_with_words(content_type: str) -> None:
    with pytest.raises(ToolError, match=f"is {content_type}, not a page or a text"):
        read(b"", content_type)


def test_binary_data_that_is_called_a_text_is_refused() -> None:
    with pytest.raises(ToolError, match="is called a text, and is none"):
        read(b"\x89PNG\r\n\x1a\n\x00\x00", "text/plain")


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
@pytest.mark.parametrize(
    ("body", "charset"),
    [
        ("é — 日本".encode(), "utf-8"),
        ("é — 日本".encode(), ""),
        ("é — 日本".encode("utf-16"), ""),
        ("é — 日本".encode("utf-16"), "utf-16"),
        (b"\xef\xbb\xbf" + "é — 日本".encode(), "iso-8859-1"),
        ("é — 日本".encode("gb18030"), "gbk"),
        ("é — 日本".encode(), "punycode"),
        ("é — 日本".encode(), "rot13"),
        ("é — 日本".encode(), "no such charset"),
        ("é — 日本".encode(), "\u00fftf-8"),
    ],
)
def test_a_text_is_read_in_its_encoding(kind: str, body: bytes, charset: str) -> None:
    content_type = f'{kind}; charset="{charset}"' if charset else kind

    assert read(body, content_type).text == "é — 日本"


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("<meta charset=shift_jis><p>日本".encode("shift_jis"), "text/html", "日本"),
        ("<meta charset=utf-8><p>日本".encode("shift_jis"), "text/html; charset=sjis", "日本"),
        (b"<p>caf\xe9 \x93x\x94", "text/html", "café “x”"),
        (b"caf\xe9", "text/plain; charset=latin1", "café"),
        (b"caf\xe9 \xff", "text/plain; charset=utf-8", "caf\ufffd \ufffd"),
        (b"caf\xe9", "text/plain", "café"),
    ],
)
def test_a_page_may_name_its_encoding_itself(
    body: bytes, content_type: str, expected: str
) -> None:
    assert read(body, content_type).text == expected


@pytest.mark.parametrize("content_type", ["text/plain", "text/html", "text/plain; charset=utf-8"])
def test_a_text_that_was_cut_within_a_letter_keeps_the_others(content_type: str) -> None:
    answer = Answer("https://a.example/", 200, "", medium_of(content_type), "日本".encode()[:-1])

    found = read_answer(replace(answer, is_cut=True), is_whole=True)

    assert found.text.startswith("日")


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_what_nobody_sees_and_what_turns_words_round_is_left_out(kind: str) -> None:
    hidden = "a\x1b[31mb\u202ec\u2066d\u200be\ufefff\x9bg\U000e0041h\u00adi\x7fj\u2060k"

    assert read(hidden, kind).text == "a[31mbcdefghijk"


def test_what_joins_letters_stays() -> None:
    assert (
        read("👨\u200d👩\u200d👧 می\u200cخواهم", "text/plain").text
        == "👨\u200d👩\u200d👧 می\u200cخواهم"
    )


def test_a_title_is_one_line_that_looks_like_no_other() -> None:
    title = "A\nURL: https://bank.example/\u202e" + "x" * 1000

    assert read(f"<title>{title}</title><p>x").title == (
        "A URL: https://bank.example/" + "x" * 172 + "…"
    )


def test_the_page_of_an_error_is_told_in_short() -> None:
    body = "<title>Not here</title><p>Try the <b>archive</b>.</p>" + "<p>word" * 1000

    with pytest.raises(ToolError) as caught:
        read(body, status=404)

    assert str(caught.value).startswith(
        "https://tea.example/a/b answered 404 Words. Its page says: Not here"
    )
    assert "archive" in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_error_without_a_page_is_told() -> None:
    with pytest.raises(ToolError, match=r"answered 503 Words\.$"):
        read("", status=503)
    with pytest.raises(ToolError, match=r"answered 500 Words\.$"):
        read("", "application/pdf", status=500)


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 50_000,
        "<b>" * 50_000,
        "<ul><li>" * 20_000,
        "<blockquote>" * 20_000,
        "<table><tr><td>" * 50_000,
        "<a href=x>" * 20_000,
        "<font><p>" * 20_000,
        "<p " + " ".join(f"a{n}=1" for n in range(200_000)) + ">",
        f'<p style="{"a" * 1_000_000}">',
        "&amp;" * 50_000,
        "&bogus" * 50_000,
        "<" * 200_000,
        "<!--" * 250_000,
        "<a href='http://[x'>" * 10_000,
        f"<a href='{'../' * 300_000}'>",
        "<td colspan=65000 rowspan=65000>x" * 50,
        "</p>" * 50_000,
        "\0" * 500_000,
        "<svg><template><foreignObject><n></template><nobr><div><nobr>",
        f"<base href='http://a/{'b' * 500_000}'>" + "<a href=x>y</a>" * 50_000,
        "</title><title>" + "&amp;" * 300_000,
        "<a>" * 20_000 + "word " * 20_000 + "</a>" * 20_000,
    ],
    ids=range(22),
)
def test_hostile_pages_are_read_like_others(body: str) -> None:
    page = f"<title>Hostile</title><p>The words before, and a few more of them.</p>{body}"

    found = read(page)

    assert found.title == "Hostile"
    assert "The words before" in read(page, is_whole=True).text


PIECES = (
    "<{tag}> </{tag}> x & &amp <!-- --> <![CDATA[ ]]> \0 \xff <a href= ' \" > = <p hidden>"
    " <ol start=9>"
)
TAGS = (
    "a b p div table tr td th ul ol li svg math template select option form nobr script style"
    " title h1 pre code textarea button frameset body html head nav main article iframe noscript"
    " ruby rt dl dt dd img br base blockquote annotation-xml foreignObject mi"
)
SOUP = st.lists(
    st.builds(
        lambda piece, tag: piece.format(tag=tag),
        st.sampled_from(PIECES.split()),
        st.sampled_from(TAGS.split()),
    )
)


@given(SOUP, st.sampled_from(["utf-8", "big5", "utf-16", "iso-2022-jp", "x-user-defined", ""]))
def test_whatever_tags_come_one_after_the_other_a_page_is_read(
    soup: list[str], charset: str
) -> None:
    content_type = f"text/html; charset={charset}"

    for is_whole in (False, True):
        assert isinstance(read("".join(soup), content_type, is_whole=is_whole).text, str)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>A<br>b</h2>c <b>d</b>&nbsp;e", "## A\nb\n\nc d\xa0e"),
        ("<ol><li>a<p>b</p><li>c</ol>d", "1. a\n  b\n2. c\n\nd"),
        ("<ul><li><h3>a</h3><li><div></div>b</ul>", "- ### a\n- b"),
        ("<blockquote>a<p>b<br>c</blockquote>d", "> a\n\n> b\n> c\n\nd"),
        ("use <code>a</code> or <code></code>.", "use `a` or ``."),
        ("<pre> a\n\n  b\n</pre>c", "```\n a\n\n  b\n```\n\nc"),
        (
            "<a href=/x><h2>a</h2><p>b</a>",
            "## [a](https://tea.example/x)\n\n[b](https://tea.example/x)",
        ),
        ("a<a href=/x> b </a>c", "a [b](https://tea.example/x) c"),
        (
            "<table><tr><td><table><tr><td>a<td>b</table>c<td>d</table>",
            "| a | b |\n| --- | --- |\n\nc\n\nd",
        ),
        ("<table><tr><td>a<p>b<td><ul><li>c</ul></table>", "| a b | c |\n| --- | --- |"),
        ("<table><tr><td>alone</table>", "alone"),
        ("<pre>a <a href=/x>b</a></pre><a href='#c'>c</a>", "```\na b\n```\n\nc"),
        ("<dialog>a</dialog><dialog open>b</dialog>", "b"),
        ("<div hidden>a<p>b</div>c", "c"),
    ],
    ids=range(14),
)
def test_each_kind_of_block_is_written_in_its_own_way(body: str, expected: str) -> None:
    assert read(body, is_whole=True).text == expected


def test_the_heads_of_a_page_are_left_out_and_those_of_its_articles_are_not() -> None:
    page = "<header>Site</header><article><header><h1>Tea</h1></header><p>Hot.</article>"

    assert read(page).text == "# Tea\n\nHot."


def test_a_page_of_nothing_has_no_text() -> None:
    assert read("") == Page("", "")
    assert read("<html></html>") == Page("", "")
