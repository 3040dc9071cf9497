// The keys of queries, from the pieces of a solution (dialects/xf/IR/XfPieces.td). A run is [begin, length, period, count]:
// `count` runs of `length` keys, each `period` after the one before it.

const floorDiv = (x, y) => Math.floor(x / y);
const floorMod = (x, y) => x - y * Math.floor(x / y);

/** The value of an expression (ReportPatterns.cpp) at index x; `sizes` holds Nq, Nk, p0, .. */
function evaluate(expr, x, sizes) {
  if (typeof expr === "number") return expr;
  if (typeof expr === "string") return expr === "x" ? x : sizes[expr] ?? 0;
  const a = evaluate(expr[1], x, sizes), b = evaluate(expr[2], x, sizes);
  switch (expr[0]) {
  case "+": return a + b;
  case "*": return a * b;
  case "mod": return floorMod(a, b);
  case "div": return floorDiv(a, b);
  default: return Math.ceil(a / b);
  }
}

/** x(r, a) = M (a div w) + a mod w + start(r). */
class IndexMap {
  constructor([residues, period, width, offset, cell, multiplier, shift]) {
    Object.assign(this, {residues, period, width, offset, cell, multiplier, shift});
    this.isWhole = period === width;
  }
  start(r) { return this.offset + this.cell * floorMod(this.multiplier * r + this.shift, this.residues); }
  at(r, a) { return this.period * floorDiv(a, this.width) + floorMod(a, this.width) + this.start(r); }
  /** The smallest a with x(r, a) >= x. */
  rank(r, x) {
    const distance = x - this.start(r);
    return this.width * floorDiv(distance, this.period) + Math.min(floorMod(distance, this.period), this.width);
  }
  has(r, x) { return this.isWhole || floorMod(x - this.start(r), this.period) < this.width; }
  /** The residues of a piece that index x belongs to. */
  residuesOf(x, count) {
    if (this.residues === 1) return this.has(0, x) ? Array.from({length: count}, (_, r) => r) : [];
    if (!this.byCell) { // residues by the cell that they start in
      this.byCell = Array.from({length: this.residues}, () => []);
      for (let r = 0; r < this.residues; ++r) this.byCell[floorMod(this.multiplier * r + this.shift, this.residues)].push(r);
    }
    const inCell = floorMod(x, this.cell) - this.offset;
    if (inCell < 0 || inCell >= this.width) return [];
    return this.byCell[floorDiv(floorMod(x, this.period), this.cell)];
  }
  /** Adds the indices of ranks [begin, end) of residue r to `runs`. */
  addRuns(r, begin, end, runs) {
    if (end <= begin) return;
    if (this.isWhole) {
      runs.push([begin + this.start(r), end - begin, end - begin, 1]);
      return;
    }
    const w = this.width, first = floorDiv(begin, w), last = floorDiv(end - 1, w);
    const add = (window, from, to, count) => runs.push([this.at(r, window * w + from), to - from, this.period, count]);
    if (first === last) return add(first, begin - first * w, end - first * w, 1);
    let whole = first, count = last - first + 1;
    if (begin > first * w) { add(first, begin - first * w, w, 1); ++whole; --count; }
    const tail = end - last * w < w;
    if (tail) --count;
    if (count > 0) add(whole, 0, w, count);
    if (tail) add(last, 0, end - last * w, 1);
  }
}

const numKeysOf = runs => runs.reduce((sum, run) => sum + run[1] * run[3], 0);

/** A piece at given sizes. */
class Piece {
  constructor(data, sizes) {
    this.data = data;
    this.sizes = sizes;
    this.queries = new IndexMap(data.queries);
    this.keys = new IndexMap(data.keys);
    this.first = sizes.Nk - sizes.Nq;
  }
  /** The first and the last key that position i may see; last < first if it sees none. */
  bounds(i) {
    if (this.data.rows.some(expr => evaluate(expr, i, this.sizes) < 0)) return [0, -1];
    const lower = this.data.lower.reduce((most, expr) => Math.max(most, evaluate(expr, i, this.sizes)), 0);
    const upper = this.data.upper.reduce((least, expr) => Math.min(least, evaluate(expr, i, this.sizes)), this.sizes.Nk - 1);
    return [lower, upper];
  }
  /** The ranks [begin, end) of the keys of residue r that position i sees. */
  ranks(r, i) {
    const [lower, upper] = this.bounds(i), begin = this.keys.rank(r, lower);
    return [begin, Math.max(begin, this.keys.rank(r, Math.max(upper + 1, lower)))];
  }
  runs(i) {
    const runs = [];
    for (const r of this.queries.residuesOf(i, this.data.residues)) {
      const [begin, end] = this.ranks(r, i);
      this.keys.addRuns(r, begin, end, runs);
    }
    return runs;
  }
  /** The register tiles of position i: {name, runs} each, of groups of `rows` ranks and multiples of `lanes` keys. */
  tiles(i, rows, lanes) {
    const tiles = [];
    for (const r of this.queries.residuesOf(i, this.data.residues)) {
      const from = this.queries.rank(r, this.first), to = this.queries.rank(r, this.sizes.Nk);
      const group = floorDiv(this.queries.rank(r, i) - from, rows), name = r + ":" + group;
      this.cache ??= new Map();
      if (!this.cache.has(name)) this.cache.set(name, this.tile(r, from + group * rows, to, rows, lanes));
      const runs = this.cache.get(name);
      if (runs.length) tiles.push({name, runs});
    }
    if (this.cache?.size > 100000) this.cache.clear();
    return tiles;
  }
  tile(r, from, to, rows, lanes) {
    let begin = Infinity, end = -Infinity;
    for (let a = from; a < Math.min(from + rows, to); ++a) {
      const [b, e] = this.ranks(r, this.queries.at(r, a));
      if (b < e) { begin = Math.min(begin, b); end = Math.max(end, e); }
    }
    const runs = [];
    if (begin < end) this.keys.addRuns(r, floorDiv(begin, lanes) * lanes, Math.ceil(end / lanes) * lanes, runs);
    return runs;
  }
}

/** The pairs of a predicate, which the compiler wrote query by query. */
class Predicate {
  constructor(data, sizes) {
    this.sizes = sizes;
    this.first = sizes.Nk - sizes.Nq;
    this.drawn = data.drawn ?? 0;
    this.ends = []; // the row after each group of equal rows
    this.groups = [];
    let row = 0;
    for (const [count, numbers] of data.runs ?? []) {
      this.ends.push(row += count);
      this.groups.push(numbers);
    }
  }
  runs(i) {
    const row = i - this.first;
    if (row < 0 || row >= this.drawn) return [];
    let low = 0, high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > row) high = middle; else low = middle + 1;
    }
    const numbers = this.groups[low], runs = [];
    for (let n = 0, end = 0; n < numbers.length; n += 3) {
      const [gap, length, count] = numbers.slice(n, n + 3);
      runs.push([end + gap, length, gap + length, count]);
      end += (gap + length) * count;
    }
    return runs;
  }
  /** Blocks of `rows` queries and `columns` keys that have a pair are computed as a whole. */
  tiles(i, rows, lanes, columns) {
    const group = floorDiv(i - this.first, rows), name = "p:" + group;
    this.cache ??= new Map();
    if (!this.cache.has(name)) {
      const blocks = new Set();
      for (let a = 0; a < rows; ++a)
        for (const [begin, length, period, count] of this.runs(this.first + group * rows + a))
          for (let n = 0; n < count; ++n)
            for (let b = floorDiv(begin + n * period, columns); b * columns < begin + n * period + length; ++b) blocks.add(b);
      this.cache.set(name, [...blocks].sort((x, y) => x - y).map(b => [b * columns, columns, columns, 1]));
    }
    const runs = this.cache.get(name);
    return runs.length ? [{name, runs}] : [];
  }
}

/** A solution at given sizes: parts, each with runs(i) and tiles(i, ..). */
function partsOf(solution, sizes) {
  const parts = solution.pieces.map(piece => new Piece(piece, sizes));
  if (solution.tiles?.runs) parts.push(new Predicate(solution.tiles, sizes));
  return parts;
}

/** The number of pairs of the parts, counted query by query. */
function countPairs(parts, sizes) {
  let pairs = 0;
  for (let i = sizes.Nk - sizes.Nq; i < sizes.Nk; ++i)
    for (const part of parts) pairs += numKeysOf(part.runs(i));
  return pairs;
}

/** The names of run-time symbols in the expressions of a pattern. */
function symbolsOf(pattern) {
  const names = new Set();
  const visit = expr => {
    if (Array.isArray(expr)) expr.forEach(visit);
    else if (typeof expr === "string" && /^p\d+$/.test(expr)) names.add(expr);
  };
  for (const solution of pattern.solutions)
    for (const piece of solution.pieces) visit([piece.lower, piece.upper, piece.rows]);
  return [...names].sort();
}
