// The attentions of an entry: a list with their costs, and one of them in detail.

const state = {entry: "", attention: null, step: 0};
const matrix = new Matrix((row, follows = true) => chooseQuery(row, follows));
const grid = new Grid(row => chooseQuery(row));
let shown; ///< of the attention in detail: its pattern, solution, sizes and parts

const attentionsOf = entry => data.attentions.map((attention, number) => ({attention, number})).filter(({attention}) => attention.entry === entry);

/** The operations of one pair, as `xfc explain` counts them. */
function flopOfPair({kind, sizes: {D, Dv}}) {
  if (D == null || Dv == null) return null;
  return kind === "backward" ? 6 * D + 4 * Dv : 2 * D + 2 * Dv;
}
function densePairs({sizes: {B, H, Nq, Nk}}) { return [B, H, Nq, Nk].includes(null) ? null : B * H * Nq * Nk; }
const shareText = (part, whole) => typeof part === "number" && whole ? short(100 * part / whole) + " %" : "";

function showAttentions() {
  const list = attentionsOf(state.entry);
  const section = byId("attentions");
  section.querySelectorAll(":scope > :not(h2)").forEach(element => element.remove());
  if (!list.length) {
    section.append(make("p", {}, "This entry has no attention."));
    return;
  }
  const rows = list.map(({attention, number}) => [
    make("button", {class: "pick", "data-attention": number, "aria-label": "Show attention " + number, onclick: () => showAttention(number)}, String(number)),
    attention.kind, make("code", {title: attention.pattern}, clip(attention.pattern, 60)), placeLink(attention.loc),
    attention.pairs ?? "unknown", shareText(attention.pairs, densePairs(attention)) || "-", attention.executed_pairs ?? "unknown",
    typeof attention.flop === "number" ? flopText(attention.flop) : attention.flop ?? "unknown",
    attention.arithmetic_intensity == null ? "-" : short(attention.arithmetic_intensity)]);
  section.append(makeTable("Attentions of " + state.entry + "; choose one to see it", ["", "kind", "pattern", "place", "pairs", "of dense", "executed", "FLOP", "FLOP by byte"], rows));
  section.append(make("div", {id: "attention", role: "region", "aria-label": "The chosen attention"}));
  showAttention(list.some(({number}) => number === state.attention) ? state.attention : list[0].number);
}

const clip = (text, length) => text.length > length ? text.slice(0, length - 1) + "\u2026" : text;

/** A description of a piece as mathematics: letters are variables, N has an index. */
function mathematics(text) {
  const span = make("span", {class: "math"});
  const words = text.replaceAll("<=", "\u2264").replaceAll(">=", "\u2265").replace(/max\(0\)/, "0").replace(/min\(Nk - 1\)/, "Nk - 1").replaceAll(" - ", " \u2212 ");
  for (const word of words.split(/(\b[a-z]\b|\bN[qk]\b|(?<=\d)[ab]\b|\b(?:mod|div|max|min|where|and|keys|queries)\b)/)) {
    if (/^N[qk]$/.test(word)) span.append(make("i", {}, "N"), make("sub", {}, word[1]));
    else if (/^[a-z]$/.test(word)) span.append(make("i", {}, word));
    else span.append(word);
  }
  return span;
}

function showAttention(number) {
  state.attention = number;
  const attention = data.attentions[number], pattern = data.patterns[attention.pattern_number];
  document.querySelectorAll("[data-attention]").forEach(button =>
    button.setAttribute("aria-pressed", String(Number(button.dataset.attention) === number)));
  const box = byId("attention");
  box.replaceChildren(make("h3", {}, "Attention " + number + ", " + attention.kind + ", ", make("code", {}, clip(attention.pattern, 300))));
  if (!pattern.solutions.length)
    box.append(make("p", {}, "This attention has no pairs to draw: it is computed as sums over keys."));
  else {
    shown = {attention, pattern, head: 0, sizes: {Nq: pattern.queries, Nk: pattern.keys}, grid: gridOf(attention.pattern, pattern.keys)};
    for (const name of symbolsOf(pattern)) shown.sizes[name] = 8;
    box.append(makeControls(), make("div", {class: "pictures"}, matrix.canvas,
      make("div", {class: "query"}, make("p", {id: "keys", "aria-live": "polite"}), make("div", {id: "grid"}))), make("div", {id: "pieces"}));
    showPattern();
  }
  box.append(costsOf(attention));
}

/** The grid that the command line gives, or that the pattern's extents give, if it has as many tokens as there are keys. */
function gridOf(text, keys) {
  const extents = /extents = \[(\d+), (\d+)\]/.exec(text);
  for (const [height, width] of [[data.picture.height, data.picture.width], extents ? extents.slice(1).map(Number) : [0, 0]])
    if (height * width === keys) return [height, width];
  return [0, 0];
}

function makeControls() {
  const {pattern, attention} = shown, number = (label, id, value, min, change) =>
    make("label", {}, label + " ", make("input", {type: "number", id, value, min, onchange: event => change(Math.max(min, Math.round(Number(event.target.value)) || min))}));
  const bar = make("div", {class: "bar", role: "group", "aria-label": "Picture"});
  if (pattern.solutions.length > 1)
    bar.append(make("label", {}, "Heads ", make("select", {id: "head", onchange: event => { shown.head = Number(event.target.value); showPattern(); }},
      ...pattern.solutions.map((_, n) => make("option", {value: n}, n + " mod " + pattern.solutions.length)))));
  if (pattern.open && !pattern.fixed && !pattern.solutions.some(solution => solution.tiles))
    bar.append(number("Tokens", "tokens", shown.sizes.Nk, 1, size => { shown.sizes.Nq = shown.sizes.Nk = Math.min(size, 1 << 20); showPattern(); }));
  for (const name of symbolsOf(pattern))
    bar.append(number(name, name, shown.sizes[name], 0, value => { shown.sizes[name] = value; showPattern(); }));
  bar.append(make("button", {id: "zoom-in", onclick: () => matrix.zoom(1.5)}, "Zoom in"),
    make("button", {id: "zoom-out", onclick: () => matrix.zoom(1 / 1.5)}, "Zoom out"), make("button", {id: "fit", onclick: () => matrix.fit()}, "Fit"));
  if (attention.drawn_tile)
    bar.append(make("label", {}, make("input", {type: "checkbox", id: "tiles", checked: data.picture.tiles, onchange: showPattern}), " Tiles of kernels"));
  bar.append(number("Query", "query", 0, shown.sizes.Nk - shown.sizes.Nq, position => chooseQuery(position - (shown.sizes.Nk - shown.sizes.Nq))));
  bar.append(number("Grid of", "grid-height", shown.grid[0], 0, value => { shown.grid[0] = value; showKeys(); }),
    number("x", "grid-width", shown.grid[1], 0, value => { shown.grid[1] = value; showKeys(); }));
  return bar;
}

/** Draws the chosen head, and describes its pieces. */
function showPattern() {
  const {pattern, attention, head, sizes} = shown, solution = pattern.solutions[head], parts = shown.parts = partsOf(solution, sizes);
  const before = pattern.solutions.slice(0, head).reduce((sum, one) => sum + one.pieces.length, 0);
  const hasTiles = byId("tiles")?.checked, tile = hasTiles ? attention.drawn_tile : null;
  matrix.canvas.setAttribute("aria-label", `Pattern of ${sizes.Nq} queries by ${sizes.Nk} keys. Up and down choose a query, left and right move, plus and minus zoom, 0 fits.`);
  matrix.show(parts, sizes, solution.causal, tile, tile ? [...tile.pieces.slice(before, before + solution.pieces.length)] : null);
  const pieces = solution.pieces.map((piece, number) => make("li", {}, make("span", {class: "swatch " + partColour(number)}), mathematics(piece.text),
    make("br"), make("small", {}, "of keys: ", mathematics(piece.inverse))));
  if (solution.tiles) {
    const {reason, drawn} = solution.tiles, what = drawn == null ? ", not drawn: the pairs depend on operands of a call" : drawn < sizes.Nq ? `, drawn for the first ${exact(drawn)} queries` : "";
    pieces.push(make("li", {}, make("span", {class: "swatch " + partColour(solution.pieces.length)}), "tile by tile: " + reason + what));
  }
  const isWhole = !solution.tiles || solution.tiles.drawn === sizes.Nq, work = sizes.Nq * Math.max(1, ...solution.pieces.map(piece => piece.queries[0] === 1 ? piece.residues : 1));
  const counted = isWhole && work <= 1 << 21 ? countPairs(parts, sizes) : solution.pairs;
  byId("pieces").replaceChildren(make("h4", {}, "Pieces"), make("ul", {class: "pieces"}, ...pieces),
    make("p", {id: "counted", "data-pairs": counted}, counted == null ? "" : `One such head has ${exact(counted)} pairs of ${exact(sizes.Nq * sizes.Nk)}: ${shareText(counted, sizes.Nq * sizes.Nk)} of dense.`),
    make("p", {class: "key"}, ...["own", "future", "padding"].flatMap((name, n) => [make("span", {class: "swatch " + name}), ["own position", "future", "computed and masked"][n] + " "])));
  const asked = data.picture.query >= sizes.Nk - sizes.Nq && data.picture.query < sizes.Nk ? data.picture.query - (sizes.Nk - sizes.Nq) : null;
  chooseQuery(shown.row ?? asked ?? Math.floor(sizes.Nq * 2 / 3), false);
}

function chooseQuery(row, follows = true) {
  matrix.choose(row, follows);
  shown.row = matrix.row;
  byId("query").value = shown.sizes.Nk - shown.sizes.Nq + shown.row;
  showKeys();
}

/** Says which keys the chosen query sees, and shows them on the grid. */
function showKeys() {
  const {parts, sizes, row} = shown, position = sizes.Nk - sizes.Nq + row;
  const most = 24, ranges = [];
  let count = 0;
  for (const runs of parts.map(part => part.runs(position))) {
    count += numKeysOf(runs);
    for (const [begin, length, period, times] of runs)
      for (let n = 0; n < Math.min(times, 4 * most); ++n) ranges.push([begin + n * period, begin + n * period + length - 1]);
  }
  ranges.sort((x, y) => x[0] - y[0]);
  const merged = [];
  for (const [begin, end] of ranges)
    if (merged.length && merged.at(-1)[1] + 1 >= begin) merged.at(-1)[1] = Math.max(end, merged.at(-1)[1]); else merged.push([begin, end]);
  const text = merged.slice(0, most).map(([begin, end]) => begin === end ? begin : begin + "\u2013" + end).join(", ") + (merged.length > most ? ", \u2026" : "");
  byId("keys").replaceChildren(make("strong", {}, `Query ${position}`), ` sees ${exact(count)} of ${exact(sizes.Nk)} keys` + (count ? ": " + text : ""));
  const [height, width] = shown.grid, box = byId("grid"), fits = height > 0 && height * width === sizes.Nk;
  if (!fits) {
    box.replaceChildren(height * width > 0 ? make("p", {}, `A grid of ${height} x ${width} has ${exact(height * width)} tokens, there are ${exact(sizes.Nk)}.`) : "");
    return;
  }
  if (!box.contains(grid.canvas)) box.replaceChildren(grid.canvas);
  grid.canvas.setAttribute("aria-label", `The keys of query ${position} on a grid of ${height} x ${width} tokens. Arrows choose a query.`);
  grid.canvas.style.height = Math.max(40, Math.min(320, height * 24)) + "px";
  grid.show(parts, sizes, height, width, row);
}

/** Exact counts and costs, beside those of dense attention. */
function costsOf(attention) {
  const dense = densePairs(attention), each = flopOfPair(attention), tiles = attention.tiles;
  const text = value => typeof value === "number" ? exact(value) : value ?? "unknown";
  const rows = [["pairs", text(attention.pairs), text(dense), shareText(attention.pairs, dense)],
    ["executed pairs", text(attention.executed_pairs), text(dense), shareText(attention.executed_pairs, dense)],
    ["FLOP", text(attention.flop), text(dense && each && dense * each), shareText(attention.flop, dense && each && dense * each)],
    ["bytes of operands and results", text(attention.bytes), text(attention.bytes), ""]];
  return make("div", {}, makeTable("Cost beside dense attention", ["", "this", "dense", "share"], rows), definitions([
    ["FLOP by byte", attention.arithmetic_intensity == null ? "unknown" : short(attention.arithmetic_intensity)],
    ["saved for the gradient", text(attention.saved_bytes) + " bytes"],
    ["element", attention.element], ["place", placeLink(attention.loc)],
    attention.slow_path && ["slow path", "tile by tile: " + attention.slow_path],
    tiles && ["tiles", make("span", {}, `${tiles.rows} x ${tiles.columns} in blocks of ${tiles.queries} x ${tiles.keys}`),
      make("ul", {}, ...tiles.why.map(why => make("li", {}, why)))]]));
}
