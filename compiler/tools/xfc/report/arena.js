// The arena of an entry: buffers are rectangles, from the first to the last step that uses them, at their bytes.

const arenaCanvas = makeCanvas("", 260, (context, width, height) => {
  const buffers = arenaBuffers(), total = Math.max(program.arena, 1), bottom = height - 20, at = stepPlace(width);
  const half = program.steps.length > 1 ? (at(1) - at(0)) / 2 : 10, y = bytes => bottom - (bottom - 12) * bytes / total;
  for (const {buffer, number} of buffers) {
    const step = program.steps[buffer.first], isAlive = buffer.first <= state.step && state.step <= buffer.last;
    const box = [at(buffer.first) - half, y(buffer.offset + buffer.bytes), at(buffer.last) - at(buffer.first) + 2 * half, Math.max(1, y(buffer.offset) - y(buffer.offset + buffer.bytes))];
    context.globalAlpha = isAlive ? 1 : 0.55;
    context.fillStyle = colour(familyColour(step.family));
    context.fillRect(...box);
    context.globalAlpha = 1;
    context.strokeStyle = colour("page");
    context.lineWidth = 0.5;
    context.strokeRect(...box);
  }
  const line = (bytes, name, dash) => {
    context.setLineDash(dash);
    context.strokeStyle = colour(name);
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(0, y(bytes));
    context.lineTo(width, y(bytes));
    context.stroke();
    context.setLineDash([]);
  };
  line(program.arena, "quiet", []);
  if (program.bound != null) line(program.bound, "bound", [6, 4]);
  context.strokeStyle = colour("accent");
  context.lineWidth = 2;
  context.strokeRect(at(state.step) - half, 12, 2 * half, bottom - 12);
  context.fillStyle = colour("quiet");
  context.font = "11px sans-serif";
  context.textAlign = "center";
  const tick = tickStep(program.steps.length * 40 / width);
  for (let number = 0; number < program.steps.length; number += tick) context.fillText(number, at(number), height - 4);
});
choosesStep(arenaCanvas);

const arenaBuffers = () => program.buffers.map((buffer, number) => ({buffer, number})).filter(({buffer}) => buffer.kind === "arena" && buffer.offset != null && buffer.bytes != null);

/** Lists the buffers that are alive in the chosen step. */
function showAlive() {
  const box = byId("alive");
  if (!box) return;
  const alive = arenaBuffers().filter(({buffer}) => buffer.first <= state.step && state.step <= buffer.last).sort((x, y) => x.buffer.offset - y.buffer.offset);
  const bytes = alive.reduce((sum, {buffer}) => sum + buffer.bytes, 0);
  box.replaceChildren(make("p", {"aria-live": "polite"}, `In step ${state.step}, ${program.steps[state.step].family}, ${alive.length} buffers of ${bytesText(bytes)} are alive.`), !alive.length ? "" :
    makeTable("Buffers that are alive in step " + state.step, ["offset", "bytes", "shape", "first used by", "last used by"],
      alive.map(({buffer}) => [buffer.offset, buffer.bytes, buffer.shape, `${buffer.first} ${program.steps[buffer.first].family}`, `${buffer.last} ${program.steps[buffer.last].family}`])));
  arenaCanvas.redraw();
}

function showArena() {
  const section = byId("arena");
  section.querySelectorAll(":scope > :not(h2)").forEach(element => element.remove());
  if (program?.arena == null) {
    section.append(make("p", {}, program ? "The sizes of the arena depend on those of a call." : "The arena is unknown: the entry cannot be compiled for this machine."));
    return;
  }
  const sum = arenaBuffers().reduce((bytes, {buffer}) => bytes + buffer.bytes, 0);
  const bound = program.bound == null ? "" : `, lower bound ${exact(program.bound)} bytes (dashed: what lives during one step together)`;
  section.append(make("p", {}, `${exact(program.arena)} bytes${bound}; the buffers have ${bytesText(sum)} together. Steps go to the right, bytes up; a colour is that of the step that uses a buffer first.`));
  if (program.arena > 0) {
    arenaCanvas.setAttribute("aria-label", `Arena of ${exact(program.arena)} bytes over ${program.steps.length} steps. Left and right choose a step.`);
    section.append(arenaCanvas, make("div", {id: "alive"}));
  }
}
