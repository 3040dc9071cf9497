// Elements of the page, numbers as text, and canvases as sharp as the screen.

/** Creates an element; a property that starts with "on" is a listener, others are attributes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child != null));
  return element;
}

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

const exact = number => number == null ? "unknown" : typeof number === "string" ? number : number.toLocaleString("en-US");
const short = (number, digits = 3) => Number(number.toPrecision(digits)).toString();
function withPrefix(number, unit, base = 1000) {
  if (number == null) return "unknown";
  const prefixes = base === 1024 ? ["", "Ki", "Mi", "Gi", "Ti"] : ["", "k", "M", "G", "T", "P"];
  let n = 0;
  while (number >= base && n + 1 < prefixes.length) { number /= base; ++n; }
  return short(number) + " " + prefixes[n] + unit;
}
const bytesText = bytes => withPrefix(bytes, "B", 1024);
const timeText = seconds => seconds >= 1 ? short(seconds) + " s" : seconds >= 1e-3 ? short(seconds * 1e3) + " ms" : short(seconds * 1e6) + " us";
const flopText = flop => withPrefix(flop, "FLOP");

/** A link to a place "file:line:column": into the text of the program where it is there, else to the file. */
function placeLink(place) {
  const found = /^(.*):(\d+):(\d+)$/.exec(place);
  if (!found) return make("span", {}, place);
  const [, file, line] = found;
  if (file === data.file && data.text != null)
    return make("a", {href: "#line-" + line, onclick: () => showProgram()}, place);
  return make("a", {href: encodeURI(file) + "#L" + line}, place);
}

/** Colours of the style sheet, which follow the colour scheme. */
function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }
const partColours = ["piece-0", "piece-1", "piece-2", "piece-3", "piece-4", "piece-5"];
const partColour = number => partColours[Math.min(number, partColours.length - 1)];

const redraws = new Set(); ///< drawing functions, called when the window or the colours change
/** A canvas that `draw(context, width, height)` fills, in CSS pixels. Returns the canvas; canvas.redraw() draws. */
function makeCanvas(label, height, draw) {
  const canvas = make("canvas", {tabindex: 0, role: "img", "aria-label": label});
  canvas.style.height = height + "px";
  let pending = false;
  const paint = () => {
    pending = false;
    const width = canvas.clientWidth;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(canvas.width / width, 0, 0, canvas.height / canvas.clientHeight, 0, 0);
    context.clearRect(0, 0, width, canvas.clientHeight);
    draw(context, width, canvas.clientHeight);
  };
  canvas.redraw = () => {
    if (!pending) requestAnimationFrame(paint);
    pending = true;
  };
  redraws.add(canvas.redraw);
  return canvas;
}

/** A row of keys and values. */
function definitions(rows) {
  return make("dl", {}, ...rows.filter(row => row).flatMap(([name, ...value]) => [make("dt", {}, name), make("dd", {}, ...value)]));
}

/** A table with a caption; the cells are texts, numbers or elements. Numbers are right-aligned. */
function makeTable(caption, heads, rows) {
  const cell = (tag, value) => make(tag, {class: typeof value === "number" ? "number" : null, scope: tag === "th" ? "col" : null},
    typeof value === "number" ? exact(value) : value);
  return make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption}, make("table", {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads.map(head => cell("th", head)))),
    make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map(value => cell("td", value)))))));
}
