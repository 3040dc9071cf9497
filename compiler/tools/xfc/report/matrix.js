// The matrix of a pattern: a row for each query, a column for each key, the origin at the top left. Only what is in sight
// is evaluated, so that the number of queries and keys does not matter. Where squares are smaller than a pixel, the share of pairs
// becomes the strength of the colour.

const margin = {left: 52, top: 22};
const sampledRows = 6; ///< of the queries of one row of pixels

class Matrix {
  /** `onQuery(row)` is called when the user picks a query. */
  constructor(onQuery) {
    this.onQuery = onQuery;
    this.row = 0;
    this.canvas = makeCanvas("", 420, (context, width, height) => this.draw(context, width, height));
    this.canvas.classList.add("matrix");
    this.canvas.addEventListener("keydown", event => this.onKey(event));
    this.canvas.addEventListener("wheel", event => this.onWheel(event), {passive: false});
    this.canvas.addEventListener("pointerdown", event => this.onDown(event));
    this.canvas.addEventListener("pointermove", event => this.onMove(event));
    this.canvas.addEventListener("pointerup", event => this.onUp(event));
  }
  /** Shows other parts. `tile` (drawn_tile) and `tiles`, its entries for these parts, may be null. */
  show(parts, sizes, isCausal, tile, tiles) {
    Object.assign(this, {parts, sizes, isCausal, tile, tiles, first: sizes.Nk - sizes.Nq});
    this.row = Math.min(this.row, sizes.Nq - 1);
    this.fit();
  }
  get area() { return {width: this.canvas.clientWidth - margin.left - 4, height: this.canvas.clientHeight - margin.top - 4}; }
  get least() { return Math.min(this.area.width / this.sizes.Nk, this.area.height / this.sizes.Nq); }
  fit() {
    const width = this.canvas.clientWidth - margin.left - 4, height = width * this.sizes.Nq / this.sizes.Nk;
    this.canvas.style.height = Math.round(Math.min(width, Math.max(height, 120))) + margin.top + 4 + "px";
    this.scale = null; // by the size of the canvas
    this.left = this.top = 0;
    this.canvas.redraw();
  }
  clamp() {
    const {width, height} = this.area;
    this.scale = Math.min(Math.max(this.scale ?? 0, this.least), 40);
    this.left = Math.max(0, Math.min(this.left, this.sizes.Nk - width / this.scale));
    this.top = Math.max(0, Math.min(this.top, this.sizes.Nq - height / this.scale));
  }
  /** Zooms around a point of the area, by default around the chosen query's own key. */
  zoom(factor, x, y) {
    this.clamp();
    x ??= (Math.min(this.first + this.row, this.sizes.Nk - 1) - this.left + 0.5) * this.scale;
    y ??= (this.row - this.top + 0.5) * this.scale;
    const key = this.left + x / this.scale, row = this.top + y / this.scale;
    this.scale *= factor;
    this.clamp();
    this.left = key - x / this.scale;
    this.top = row - y / this.scale;
    this.canvas.redraw();
  }
  choose(row, follows = true) {
    this.row = Math.max(0, Math.min(row, this.sizes.Nq - 1));
    if (follows && this.scale) {
      const rows = this.area.height / this.scale;
      if (this.row < this.top || this.row + 1 > this.top + rows) this.top = this.row - rows / 2;
    }
    this.canvas.redraw();
  }
  onKey(event) {
    const page = Math.max(1, Math.round(this.area.height / (this.scale ?? 1) / 4)), step = event.shiftKey && this.tile ? this.tile.rows : 1;
    const pan = this.area.width / (this.scale ?? 1) / 8;
    const actions = {
      ArrowUp: () => this.onQuery(this.row - step), ArrowDown: () => this.onQuery(this.row + step),
      PageUp: () => this.onQuery(this.row - page), PageDown: () => this.onQuery(this.row + page),
      Home: () => this.onQuery(0), End: () => this.onQuery(this.sizes.Nq - 1),
      ArrowLeft: () => { this.left -= pan; this.canvas.redraw(); }, ArrowRight: () => { this.left += pan; this.canvas.redraw(); },
      "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), 0: () => this.fit(),
    };
    if (event.ctrlKey || event.metaKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
  onWheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.25 : 0.8, event.offsetX - margin.left, event.offsetY - margin.top);
  }
  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = {x: event.offsetX, y: event.offsetY, moved: 0};
  }
  onMove(event) {
    if (!this.drag) return;
    const dx = event.offsetX - this.drag.x, dy = event.offsetY - this.drag.y;
    this.drag = {x: event.offsetX, y: event.offsetY, moved: this.drag.moved + Math.abs(dx) + Math.abs(dy)};
    this.left -= dx / this.scale;
    this.top -= dy / this.scale;
    this.canvas.redraw();
  }
  onUp(event) {
    const isClick = this.drag && this.drag.moved < 4;
    this.drag = null;
    if (isClick) this.onQuery(Math.floor(this.top + (event.offsetY - margin.top) / this.scale), false);
  }

  draw(context) {
    if (!this.parts) return;
    this.clamp();
    const {width, height} = this.area, scale = this.scale;
    this.rows = [Math.floor(this.top), Math.min(this.sizes.Nq, Math.ceil(this.top + height / scale))];
    this.columns = [Math.floor(this.left), Math.min(this.sizes.Nk, Math.ceil(this.left + width / scale))];
    const right = Math.min(width, (this.sizes.Nk - this.left) * scale), bottom = Math.min(height, (this.sizes.Nq - this.top) * scale);
    context.save();
    context.translate(margin.left, margin.top);
    context.beginPath();
    context.rect(0, 0, right, bottom);
    context.clip();
    context.fillStyle = colour("unseen");
    context.fillRect(0, 0, right, bottom);
    if (this.isCausal) this.drawFuture(context, right, bottom);
    if (scale >= 1) this.drawSquares(context);
    else this.drawShares(context, Math.ceil(right), Math.ceil(bottom));
    this.drawQuery(context, right);
    context.restore();
    this.drawAxes(context, right, bottom);
  }
  drawFuture(context, right, bottom) {
    const x = key => (key - this.left) * this.scale, y = row => (row - this.top) * this.scale;
    context.fillStyle = colour("future");
    context.beginPath();
    context.moveTo(x(this.first + 1), y(0));
    if (this.scale >= 2)
      for (let row = this.rows[0]; row < this.rows[1]; ++row) {
        context.lineTo(x(this.first + row + 1), y(row));
        context.lineTo(x(this.first + row + 1), y(row + 1));
      }
    context.lineTo(x(this.sizes.Nk), y(this.sizes.Nq));
    context.lineTo(x(this.sizes.Nk), y(0));
    context.fill();
  }
  tilesOf(part, position) {
    if (!this.tile) return [];
    const own = this.tiles?.[part], [rows, lanes] = own ?? [this.tile.rows, this.tile.lanes];
    return this.parts[part].tiles(position, rows, lanes, this.tile.columns);
  }
  /** Calls visit(begin, end) for the keys of `runs` that are in sight. */
  visible(runs, visit) {
    const [from, to] = this.columns;
    for (const [begin, length, period, count] of runs) {
      const firstRun = Math.max(0, Math.floor((from - begin - length) / period) + 1);
      for (let n = firstRun, b; n < count && (b = begin + n * period) < to; ++n) visit(b, Math.min(b + length, this.sizes.Nk));
    }
  }
  drawSquares(context) {
    const scale = this.scale, fill = (row, runs) => this.visible(runs, (begin, end) =>
      context.fillRect((begin - this.left) * scale, (row - this.top) * scale, (end - begin) * scale + 0.3, scale + 0.3));
    for (let row = this.rows[0]; row < this.rows[1]; ++row) {
      const position = this.first + row;
      context.fillStyle = colour("padding");
      if (this.tile)
        for (let part = 0; part < this.parts.length; ++part)
          for (const {runs} of this.tilesOf(part, position)) fill(row, runs);
    }
    this.parts.forEach((part, number) => {
      context.fillStyle = colour(partColour(number));
      for (let row = this.rows[0]; row < this.rows[1]; ++row) fill(row, part.runs(this.first + row));
    });
    if (scale >= 4) this.drawOwn(context);
    if (this.tile && scale >= 3) this.drawLines(context);
  }
  drawOwn(context) {
    context.fillStyle = colour("own");
    for (let row = this.rows[0]; row < this.rows[1]; ++row) {
      const own = this.first + row;
      const isSeen = this.parts.some(part => part.runs(own).some(([begin, length, period, count]) =>
        own >= begin && own < begin + (count - 1) * period + length && (own - begin) % period < length));
      if (isSeen) context.fillRect((own - this.left) * this.scale, (row - this.top) * this.scale, this.scale, this.scale);
    }
  }
  /** Lines around tiles, and between the columns that one step of a kernel computes. */
  drawLines(context) {
    const scale = this.scale, x = key => (key - this.left) * scale, y = row => (row - this.top) * scale;
    context.strokeStyle = colour("line");
    context.lineWidth = Math.min(1, scale / 8);
    context.beginPath();
    const names = (part, row) => new Set(row < 0 || row >= this.sizes.Nq ? [] : this.tilesOf(part, this.first + row).map(tile => tile.name));
    this.parts.forEach((_, part) => {
      for (let row = this.rows[0]; row < this.rows[1]; ++row) {
        const above = names(part, row - 1), below = names(part, row + 1);
        for (const {name, runs} of this.tilesOf(part, this.first + row))
          this.visible(runs, (begin, end) => {
            for (let key = begin; key <= end; key = key < end ? Math.min(key + this.tile.columns, end) : end + 1) {
              context.moveTo(x(key), y(row));
              context.lineTo(x(key), y(row + 1));
            }
            for (const [other, at] of [[above, row], [below, row + 1]])
              if (!other.has(name)) { context.moveTo(x(begin), y(at)); context.lineTo(x(end), y(at)); }
          });
      }
    });
    context.stroke();
  }
  /** Adds the keys of runs to the shares of pixels. */
  addShares(runs, shares, weight) {
    const scale = this.scale, add = (begin, end, amount) => {
      const from = Math.max(0, (begin - this.left) * scale), to = Math.min(shares.length, (end - this.left) * scale);
      for (let x = Math.floor(from); x < to; ++x) shares[x] += amount * (Math.min(x + 1, to) - Math.max(x, from));
    };
    for (const run of runs) {
      const [begin, length, period, count] = run;
      if (count > 1 && period * scale < 1) add(begin, begin + (count - 1) * period + length, weight * length / period);
      else this.visible([run], (b, e) => add(b, e, weight));
    }
  }
  drawShares(context, width, height) {
    const image = context.createImageData(width, height), layers = this.parts.map((_, part) => [part, rgb(colour(partColour(part)))]);
    const padding = rgb(colour("padding")), shares = new Float32Array(width);
    const mix = (y, [red, green, blue]) => {
      for (let x = 0; x < width; ++x) {
        if (shares[x] === 0) continue;
        const at = 4 * (y * width + x), alpha = Math.min(1, Math.max(0.3, Math.sqrt(shares[x]))), old = image.data[at + 3] / 255;
        for (const [n, value] of [red, green, blue].entries())
          image.data[at + n] = value * alpha + image.data[at + n] * (old ? 1 - alpha : 0) + (old ? 0 : value * (1 - alpha));
        image.data[at + 3] = 255 * (alpha + old * (1 - alpha));
      }
      shares.fill(0);
    };
    for (let y = 0; y < height; ++y) {
      const rows = this.rowsOfPixel(y);
      if (this.tile) {
        for (const [part] of layers)
          for (const row of rows) for (const {runs} of this.tilesOf(part, this.first + row)) this.addShares(runs, shares, 1 / rows.length);
        mix(y, padding);
      }
      for (const [part, tint] of layers) {
        for (const row of rows) this.addShares(this.parts[part].runs(this.first + row), shares, 1 / rows.length);
        mix(y, tint);
      }
    }
    const layer = document.createElement("canvas"); // putImageData would ignore the scale of the screen
    layer.width = width;
    layer.height = height;
    layer.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(layer, 0, 0);
  }
  rowsOfPixel(y) {
    const from = Math.floor(this.top + y / this.scale), to = Math.min(this.sizes.Nq, Math.ceil(this.top + (y + 1) / this.scale));
    const count = Math.max(0, Math.min(sampledRows, to - from));
    return Array.from({length: count}, (_, n) => from + Math.floor(n * (to - from) / count));
  }
  drawQuery(context, right) {
    const y = (this.row - this.top) * this.scale, height = Math.max(this.scale, 1);
    context.strokeStyle = colour("accent");
    context.lineWidth = 2;
    context.strokeRect(-4, y - 1, right + 8, height + 2);
  }
  drawAxes(context, right, bottom) {
    context.fillStyle = colour("quiet");
    context.strokeStyle = colour("quiet");
    context.lineWidth = 1;
    context.font = "11px sans-serif";
    const step = tickStep(60 / this.scale);
    context.textAlign = "center";
    for (let key = Math.ceil(this.columns[0] / step) * step; key < this.columns[1]; key += step) {
      const x = margin.left + (key + 0.5 - this.left) * this.scale;
      if (x < margin.left || x > margin.left + right) continue;
      context.fillText(key, x, margin.top - 8);
      context.fillRect(x, margin.top - 4, 1, 4);
    }
    context.textAlign = "right";
    for (let row = Math.ceil((this.first + this.rows[0]) / step) * step - this.first; row < this.rows[1]; row += step) {
      const y = margin.top + (row + 0.5 - this.top) * this.scale;
      if (y < margin.top || y > margin.top + bottom) continue;
      context.fillText(this.first + row, margin.left - 8, y + 4);
      context.fillRect(margin.left - 4, y, 4, 1);
    }
    context.textAlign = "left";
    context.fillText("i \\ j", 4, margin.top - 8);
    context.strokeRect(margin.left - 0.5, margin.top - 0.5, right + 1, bottom + 1);
  }
}

/** A step of 1, 2 or 5 times a power of ten that is at least `least`. */
function tickStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map(n => n * power).find(step => step >= least) ?? 10 * power;
}

/** The red, green and blue of a colour "#rrggbb". */
const rgb = text => [1, 3, 5].map(n => parseInt(text.slice(n, n + 2), 16));

/** The keys of one query on a grid of tokens. */
class Grid {
  constructor(onQuery) {
    this.onQuery = onQuery;
    this.canvas = makeCanvas("", 240, (context, width, height) => this.draw(context, width, height));
    this.canvas.addEventListener("keydown", event => this.onKey(event));
    this.canvas.addEventListener("click", event => {
      const y = Math.floor(event.offsetY / this.side), x = Math.floor(event.offsetX / this.side);
      if (x >= 0 && x < this.width && y < this.height) this.onQuery(y * this.width + x - this.first);
    });
  }
  show(parts, sizes, height, width, row) { Object.assign(this, {parts, sizes, height, width, row, first: sizes.Nk - sizes.Nq}); this.canvas.redraw(); }
  onKey(event) {
    const step = {ArrowUp: -this.width, ArrowDown: this.width, ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    this.onQuery(this.row + step);
  }
  draw(context, width, height) {
    if (!this.parts) return;
    const side = this.side = Math.min(width / this.width, height / this.height, 24), position = this.first + this.row;
    const square = (key, inset) => [(key % this.width) * side + inset, Math.floor(key / this.width) * side + inset, side - 2 * inset, side - 2 * inset];
    context.fillStyle = colour("unseen");
    context.fillRect(0, 0, side * this.width, side * this.height);
    this.parts.forEach((part, number) => {
      context.fillStyle = colour(partColour(number));
      for (const [begin, length, period, count] of part.runs(position))
        for (let n = 0; n < count; ++n)
          for (let key = begin + n * period; key < begin + n * period + length; ++key) context.fillRect(...square(key, 0));
    });
    context.strokeStyle = colour("line");
    context.lineWidth = side >= 6 ? 0.5 : 0.1;
    context.beginPath();
    for (let y = 0; y <= this.height; ++y) { context.moveTo(0, y * side); context.lineTo(this.width * side, y * side); }
    for (let x = 0; x <= this.width; ++x) { context.moveTo(x * side, 0); context.lineTo(x * side, this.height * side); }
    context.stroke();
    context.strokeStyle = colour("accent");
    context.lineWidth = 3;
    context.strokeRect(...square(position, 1));
  }
}
