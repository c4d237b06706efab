"""The manual as HTML, which `ninja docs` makes: each page is there and in the index, each mention
of a page is a link, and each link leads to something.

usage: manual.py SOURCE_ROOT API

API is the directory of the library's reference, or empty.  Prints TAP.
"""

import glob
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

root = os.path.abspath(sys.argv[1])
api = sys.argv[2] if len(sys.argv) > 2 and os.path.isdir(sys.argv[2]) else ""
# Elements without an end, and those that may leave it out.
VOID = {"meta", "link", "br", "img", "hr", "input", "col"}
ENDLESS = {"p", "li", "dt", "dd", "tr", "td"}


class Page(html.parser.HTMLParser):
    """The places, links, text and open elements of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.open, self.faults, self.text = set(), [], [], [], ""
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())
        self.faults += self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids |= {given[k] for k in ("id", "name") if k in given}
        self.links += [given[k] for k in ("href", "src") if given.get(k)]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open[-1] in ENDLESS - {tag}:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.faults.append("/" + tag)

    def handle_data(self, data):
        self.text += data


def make(work):
    pages = []
    for source in sorted(glob.glob(root + "/man/*.scd")):
        page = f"{work}/{os.path.basename(source)[:-4]}"
        with open(source, "rb") as i, open(page, "wb") as o:
            subprocess.run(["scdoc"], stdin=i, stdout=o, check=True)
        pages.append(page)
    done = subprocess.run([sys.executable, root + "/man/pages.py", shutil.which("mandoc"),
                           work + "/html", api, *pages], capture_output=True, text=True)
    result(done.returncode == 0, "the pages are made", done.stderr)
    return [os.path.basename(p) for p in pages]


def dead(pages, path, links):
    """Links of a page within the manual that lead nowhere."""
    for link in links:
        url = urllib.parse.urlparse(link)
        if url.scheme or url.netloc:
            continue
        target = path
        if url.path:
            target = os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))
            target = os.path.normpath(target)
        place = urllib.parse.unquote(url.fragment)
        if not os.path.exists(target) or place and target in pages and place not in pages[target].ids:
            yield link


def check(work, names):
    top = work + "/html"
    pages = {path: Page(path) for path in glob.glob(top + "/**/*.html", recursive=True)}
    own = {p for p in pages if os.path.dirname(p) == top}
    result({os.path.basename(p) for p in own} == {n + ".html" for n in names} | {"index.html"},
           "each page is there", *own)
    contents = pages[top + "/index.html"].links
    for name in names:
        page = pages[f"{top}/{name}.html"]
        result(contents.count(name + ".html") == 1, f"{name} is in the index, once")
        result(not page.faults, f"{name}: each element ends", *page.faults)
        mentioned = {f"{n}.{s}" for n, s in re.findall(r"\b(jfrec[a-z-]*)\((\d)\)", page.text)}
        missing = [m for m in mentioned - {name} if m in names and m + ".html" not in page.links]
        result(not missing, f"{name}: each page it mentions is linked", *missing)
    for path in sorted(own):
        bad = list(dead(pages, path, pages[path].links))
        result(not bad, f"{os.path.basename(path)}: each link leads somewhere", *bad)
    # doxygen's lists of members name those of unnamed unions, which its pages do not show.
    bad = [f"{os.path.relpath(p, top)}: {link}" for p in pages
           if p not in own and not os.path.basename(p).startswith("functions")
           for link in dead(pages, p, pages[p].links)]
    if api:
        result(len(pages) > len(own) and not bad, "so do those of the reference", *bad)
    else:
        skip("the links of the reference", "it was not built: there is no doxygen")


def main():
    if not shutil.which("scdoc") or not shutil.which("mandoc"):
        skip("the manual as HTML", "it takes scdoc and mandoc")
    else:
        with tempfile.TemporaryDirectory() as work:
            check(work, make(work))
    finish()


main()
