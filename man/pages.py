#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# pages.py - the manual pages as HTML, with links and an index: `ninja docs`
#
# usage: pages.py MANDOC OUTPUT API PAGE...
#
# OUTPUT is a directory that is made anew.  A PAGE is in roff and named like jfrec-view.1; MANDOC
# makes HTML of it.  API is a directory with the reference of the library, or empty.

import html
import os
import re
import shutil
import subprocess
import sys

FIRST = ["jfrec-cookbook.7", "jfrec.1"]
SECTIONS = [("7", "Guides"), ("5", "Files and formats"), ("3", "Native programs")]
STYLE = """
body { max-width: 52em; margin: 1em auto; padding: 0 1em; line-height: 1.45;
	font-family: system-ui, sans-serif; color: #222; background: #fff; }
a { color: #0550ae; } a.permalink { color: inherit; text-decoration: none; }
nav { border-bottom: 1px solid #ccc; padding-bottom: .4em; }
h1 { font-size: 1.25em; margin-top: 1.6em; } h2 { font-size: 1.05em; }
pre { background: #f4f4f4; padding: .6em .8em; overflow-x: auto; line-height: 1.3; }
.Bd-indent { margin-left: 2.4em; } p.Pp:empty { display: none; }
table.tbl { border-collapse: collapse; margin: .6em 0; }
table.tbl td { border: 1px solid #ccc; padding: .2em .5em; vertical-align: top; }
dt { float: left; clear: left; } dd { margin: 0 0 .2em 15em; }
@media (prefers-color-scheme: dark) {
	body { color: #ddd; background: #181818; } a { color: #7ab7ff; }
	pre { background: #262626; } nav, table.tbl td { border-color: #555; }
}
"""


def document(title, body):
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
{body}
</body>
</html>
"""


def shown_name(page):
    name, section = page.rsplit(".", 1)
    return f"{name}({section})"


def fragment(mandoc, path):
    """The page as HTML, without what stands around it."""
    made = subprocess.run([mandoc, "-Thtml", "-O", "fragment", path], check=True,
                          capture_output=True, text=True).stdout
    made = re.sub(r"(?s)<!--.*?-->\n?", "", made)
    return re.sub(r'(?s)<table class="(?:head|foot)">.*?</table>\n?', "", made)


def with_links(body, pages):
    def link(m):
        page = f"{m.group(1)}.{m.group(2)}"
        return f'<a href="{page}.html">{m.group(0)}</a>' if page in pages else m.group(0)

    return re.sub(r"<b>(jfrec[a-z-]*)</b>\((\d)\)", link, body)


def purpose(body):
    """What follows "NAME - "."""
    found = re.search(r'(?s)id="NAME".*?<p class="Pp">(.*?)</p>', body)
    return " ".join(found.group(1).split(" - ", 1)[1].split())


def groups_of_commands(path):
    """The titles of jfrec(1), COMMANDS, with the pages below each; without titles, one group."""
    with open(path, encoding="utf-8") as f:
        text = re.search(r"(?ms)^\.SH COMMANDS$(.*?)^\.SH ", f.read()).group(1)
    parts = re.split(r"(?m)^\.SS (.*)$", text)
    titles = ["Commands"] + [t.strip('"').capitalize() for t in parts[1::2]]
    return [(t, [f"jfrec-{c}.1" for c in re.findall(r"(?m)^\\fB([a-z]+)\\fR", part)])
            for t, part in zip(titles, parts[::2])]


def groups(paths):
    """Title and pages; each page is in one of them."""
    commands = groups_of_commands(paths["jfrec.1"]) if "jfrec.1" in paths else []
    found = [("Begin here", FIRST), *commands]
    found += [(title, sorted(p for p in paths if p.endswith("." + section)))
              for section, title in SECTIONS]
    found.append(("More", sorted(paths)))
    seen = set()
    for title, pages in found:
        pages = [p for p in pages if p in paths and p not in seen]
        seen.update(pages)
        if pages:
            yield title, pages


def index(paths, purposes, has_api):
    body = ["<h1>jfrec: the manual</h1>"]
    for title, pages in groups(paths):
        body.append(f"<h2>{html.escape(title)}</h2>\n<dl>")
        body += [f'<dt><a href="{p}.html">{shown_name(p)}</a></dt><dd>{purposes[p]}</dd>'
                 for p in pages]
        body.append("</dl>")
    if has_api:
        body.append('<h2>The library</h2>\n<dl>\n<dt><a href="api/index.html">libjfrec</a></dt>'
                    "<dd>the reference of its functions, by header</dd>\n</dl>")
    return document("jfrec: the manual", "\n".join(body))


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main(mandoc, output, api, *pages):
    paths = {os.path.basename(p): p for p in pages}
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    purposes = {}
    for page, path in paths.items():
        body = fragment(mandoc, path)
        purposes[page] = purpose(body)
        body = with_links(body, paths)
        nav = f'<nav><a href="index.html">jfrec: the manual</a> &rsaquo; {shown_name(page)}</nav>'
        write(f"{output}/{page}.html", document(shown_name(page), nav + "\n" + body))
    if api:
        shutil.copytree(api, output + "/api")
    write(output + "/style.css", STYLE.lstrip())
    write(output + "/index.html", index(paths, purposes, bool(api)))
    print(f"{output}/index.html")


main(*sys.argv[1:])
