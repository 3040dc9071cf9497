"""Uses a page of `xfc explain --html` as a reader does: by mouse and keyboard, in wide and narrow windows, in light and dark.

usage: click-report.py PAGE [--every-entry]

Prints how long the page takes to open (2 seconds at most, where nothing else runs) and what each control shows; exits with an
error if one shows the wrong thing, if a script fails, or if something is loaded.
"""

import os
import sys

from browser import Browser

MOST_BYTES = 5 << 20
path = sys.argv[1]
assert os.path.getsize(path) < MOST_BYTES, os.path.getsize(path)


def expect(what, holds):
    assert holds, what
    print(what)


def shown_by(page, selector):
    return page.run("document.querySelector(%r).toDataURL()" % selector)


def changes(page, what, selector, act):
    before = shown_by(page, selector)
    act()
    page.draw()
    expect(what, shown_by(page, selector) != before)


def text(page, selector):
    return page.run("document.querySelector(%r).textContent" % selector)


def check_pattern(page):
    """The pairs that the page counts are those of the compiler."""
    page.run("document.querySelector('#head')?.dispatchEvent(new Event('change'))")
    counted = page.run("document.querySelector('#counted').dataset.pairs")
    known = page.run("(data => data.patterns[data.attentions[Number(document.querySelector('[data-attention][aria-pressed=true]').dataset.attention)]"
                     ".pattern_number].solutions[0].pairs)(JSON.parse(document.querySelector('#data').textContent))")
    return known is None or int(counted) == known


def check_matrix(page):
    matrix = "canvas.matrix"
    page.click(matrix, 0.5, 0.5)
    first = text(page, "#keys")
    expect("a click picks a query", first.startswith("Query ") and " sees " in first)
    page.run("document.querySelector('canvas.matrix').focus()")
    query = int(page.run("document.querySelector('#query').value"))
    for key, at in (("ArrowDown", query + 1), ("ArrowUp", query), ("Home", None), ("End", None), ("PageUp", None), ("PageDown", None)):
        page.press(key)
        got = int(page.run("document.querySelector('#query').value"))
        expect(key + " chooses a query", got == at if at is not None else True)
    page.press("ArrowUp")
    changes(page, "a key zooms", matrix, lambda: [page.press("+") for _ in range(4)])
    changes(page, "a key moves", matrix, lambda: page.press("ArrowLeft"))
    changes(page, "a key fits", matrix, lambda: page.press("0"))
    changes(page, "a button zooms in", matrix, lambda: page.click("#zoom-in"))
    page.click("#zoom-in")
    changes(page, "a button zooms out", matrix, lambda: page.click("#zoom-out"))
    if page.run("!!document.querySelector('#tiles')"):
        changes(page, "tiles", matrix, lambda: page.click("#tiles"))
        changes(page, "no tiles", matrix, lambda: page.click("#tiles"))
    page.click("#fit")
    page.run("(input => { input.value = 0; input.dispatchEvent(new Event('change')); })(document.querySelector('#query'))")
    expect("a number chooses a query", text(page, "#keys").startswith("Query "))


def check_grid(page):
    keys = int(page.run("Number(/of ([0-9,]+) keys/.exec(document.querySelector('#keys').textContent)[1].replaceAll(',', ''))"))
    height = next(side for side in range(int(keys**0.5), 0, -1) if keys % side == 0)
    for side, value in (("height", height), ("width", keys // height)):
        page.run("(input => { input.value = %d; input.dispatchEvent(new Event('change')); })(document.querySelector('#grid-%s'))" % (value, side))
    page.run("(input => { input.value = %d; input.dispatchEvent(new Event('change')); })(document.querySelector('#query'))" % (keys - 1))
    page.draw()
    changes(page, "a click in the grid picks a query", "#grid canvas", lambda: page.click("#grid canvas", 0.02, 0.02))
    page.run("document.querySelector('#grid canvas').focus()")
    changes(page, "a key moves in the grid", "#grid canvas", lambda: page.press("ArrowRight"))
    page.run("(input => { input.value = 1; input.dispatchEvent(new Event('change')); })(document.querySelector('#grid-width'))")
    expect("a wrong grid is said", keys == height or "tokens, there are" in text(page, "#grid"))


def check_steps(page):
    steps = page.run("document.querySelectorAll('[data-step]').length")
    expect("there are steps", steps > 0)
    known, whole = (float(page.run("document.querySelector('#work').dataset." + name)) for name in ("known", "all"))
    expect("the steps have the work of the entry", whole == 0 or known == whole)
    expect("work that is not counted is said to be so", (known == 0) == ("no FLOP counted" in text(page, "#work")))
    page.click("#launches summary")
    last = "[data-step='%d']" % (steps - 1)
    page.click(last)
    expect("a button chooses a step", text(page, "#step").startswith("Step %d:" % (steps - 1)) and page.run("document.querySelector(\"%s\").ariaPressed" % last) == "true")
    page.run("document.querySelector('#launches canvas').focus()")
    page.press("Home")
    expect("a key chooses a step", text(page, "#step").startswith("Step 0:"))
    page.click("#launches canvas", 0.999)
    expect("a click chooses a step", text(page, "#step").startswith("Step %d:" % (steps - 1)))
    if page.run("!!document.querySelector('#arena canvas')"):
        page.click("#arena canvas", 0.001)
        expect("a click in the arena chooses a step", text(page, "#alive").startswith("In step 0,"))
        page.run("document.querySelector('#arena canvas').focus()")
        page.press("ArrowRight")
        expect("a key in the arena chooses a step", text(page, "#alive").startswith("In step %d," % min(1, steps - 1)))


def check_kernels(page):
    listed = page.run("""(entry => entry.steps.filter(step => step.flop != null).every(step =>
        [...document.querySelectorAll('#kernels code')].some(code => code.textContent === step.name)))(
        JSON.parse(document.querySelector('#data').textContent).entries.find(entry =>
        document.querySelector('#kernels caption').textContent === "Kernels of " + entry.name))""")
    expect("every launch that is counted has a row", listed)


def check_roofline(page):
    check_kernels(page)

    def set_peak(name, value):
        page.run("(input => { input.value = %s; input.dispatchEvent(new Event('input')); })(document.querySelector('#peak-%s'))" % (value, name))

    set_peak("flop", 1000)
    changes(page, "peaks give a roof", "#roofline canvas", lambda: set_peak("bytes", 50))
    expect("peaks give times", "at least" in text(page, "#least"))
    set_peak("bytes", "''")
    expect("without peaks there are none", page.run("!document.querySelector('#least')"))


def check_page(page):
    for name in ("attentions", "launches", "arena", "roofline", "program"):
        page.click("nav a[href='#%s']" % name)
        expect("the section %s" % name, page.run("location.hash") == "#" + name)
    unnamed = page.run("""[...document.querySelectorAll('canvas, button, input, select, [role=region], [role=group]')].filter(element =>
        !(element.ariaLabel || element.textContent.trim() || element.labels?.[0]?.textContent.trim())).map(element => element.outerHTML)""")
    expect("everything has a name for readers of the screen", unnamed == [])
    if page.run("!!document.querySelector('#attentions a[href^=\"#line\"]')"):
        page.click("#attentions a[href^='#line']")
        expect("a place leads to its line", page.run("document.querySelector(':target')?.textContent.includes('xf.attention')"))
    else:
        page.click("#program summary")
    expect("the program is there", page.run("document.querySelectorAll('.lines li').length") > 2)
    page.run("scrollTo(0, 0)")
    for scheme in ("dark", "light", "auto"):
        page.run("(select => { select.value = '%s'; select.dispatchEvent(new Event('change')); })(document.querySelector('#scheme'))" % scheme)
        page.draw()
        background = page.run("getComputedStyle(document.body).backgroundColor")
        expect(scheme + " colours", (background == "rgb(255, 255, 255)") == (scheme == "light" or scheme == "auto" and not page.dark))


def check_entries(page):
    names = page.run("[...document.querySelector('#entry').options].map(option => option.value)")
    for name in names if "--every-entry" in sys.argv else names[:1]:
        page.run("(select => { select.value = %r; select.dispatchEvent(new Event('change')); })(document.querySelector('#entry'))" % name)
        page.draw()
        check_kernels(page)
        for n in range(min(page.run("document.querySelectorAll('[data-attention]').length"), 4)):
            page.run("document.querySelectorAll('[data-attention]')[%d].click()" % n)
            page.draw()
            if page.run("!!document.querySelector('#counted')"):
                expect("the pairs of attention %d of %s" % (n, name), check_pattern(page))


for width, dark in ((1280, False), (400, True)):
    with Browser(width, 900, dark) as page:
        print("opened in %.2f s at %d" % (page.open(path), width))
        check_page(page)
        check_matrix(page)
        check_grid(page)
        check_steps(page)
        check_roofline(page)
        expect("nothing is cut off at %d" % width, page.run("document.documentElement.scrollWidth") <= width)
        check_entries(page)
        assert not page.problems, page.problems
        others = [url for url in page.requests if not url.startswith(("file://", "data:", "about:"))]
        assert not others, others
print("no problems")
