// The steps of an entry's host program, in order: an arc from each step to the next one that uses the same buffer, and a list.

let program; ///< the entry that is shown: steps, buffers, and the edges between steps
const families = new Map();
/** A colour for what kernels compute, in the order of appearance. */
function familyColour(family) {
  if (!families.has(family)) families.set(family, "family-" + families.size % 8);
  return families.get(family);
}

/** Returns {from, to, buffer} for each buffer and each two steps that use it one after the other. */
function edgesOf(entry) {
  const last = new Map(), edges = [];
  entry.steps.forEach((step, number) => {
    for (const buffer of new Set(step.buffers.map(operand => operand.buffer))) {
      if (last.has(buffer)) edges.push({from: last.get(buffer), to: number, buffer});
      if (entry.buffers[buffer].kind === "arena") last.set(buffer, number);
    }
  });
  return edges;
}

const bufferText = number => {
  const {name, kind, shape, bytes} = program.buffers[number];
  return `${name ?? kind + " buffer " + number} (${shape}, ${bytesText(bytes)})`;
};

const graph = makeCanvas("", 180, (context, width, height) => {
  const base = height - 24, at = stepPlace(width);
  const most = Math.max(1, ...program.edges.map(edge => edge.to - edge.from));
  for (const isChosen of [false, true])
    for (const edge of program.edges) {
      if ((edge.from === state.step || edge.to === state.step) !== isChosen) continue;
      const from = at(edge.from), to = at(edge.to);
      context.strokeStyle = colour(isChosen ? "accent" : "faint");
      context.lineWidth = isChosen ? 2 : 1;
      context.beginPath();
      context.ellipse((from + to) / 2, base, (to - from) / 2, (base - 8) * Math.sqrt((edge.to - edge.from) / most), 0, Math.PI, 2 * Math.PI);
      context.stroke();
    }
  const space = at(1) - at(0), largest = Math.max(1, ...program.steps.map(step => step.bytes ?? 0));
  program.steps.forEach((step, number) => {
    const radius = 2 + Math.min(8, Math.max(3, space)) * Math.sqrt((step.bytes ?? 0) / largest);
    context.fillStyle = colour(familyColour(step.family));
    context.beginPath();
    context.arc(at(number), base, number === state.step ? radius + 3 : radius, 0, 2 * Math.PI);
    context.fill();
  });
  context.fillStyle = colour("quiet");
  context.font = "11px sans-serif";
  context.textAlign = "center";
  const step = tickStep(program.steps.length * 40 / width);
  for (let number = 0; number < program.steps.length; number += step) context.fillText(number, at(number), height - 4);
});

/** Returns the function from the number of a step to its place in a picture of this width. */
function stepPlace(width) {
  const count = Math.max(1, program.steps.length), left = 14;
  return number => left + (width - 2 * left) * (count === 1 ? 0.5 : number / (count - 1));
}
function stepAt(x, width) {
  const at = stepPlace(width);
  return program.steps.reduce((best, _, number) => Math.abs(at(number) - x) < Math.abs(at(best) - x) ? number : best, 0);
}

/** Lets a picture of steps choose one by mouse and keyboard. */
function choosesStep(canvas) {
  canvas.addEventListener("click", event => chooseStep(stepAt(event.offsetX, canvas.clientWidth)));
  canvas.addEventListener("keydown", event => {
    const to = {ArrowLeft: state.step - 1, ArrowRight: state.step + 1, PageUp: state.step - 10, PageDown: state.step + 10, Home: 0, End: program.steps.length - 1}[event.key];
    if (to == null) return;
    event.preventDefault();
    chooseStep(to);
  });
}
choosesStep(graph);

function chooseStep(number) {
  if (!program?.steps.length) return;
  state.step = Math.max(0, Math.min(number, program.steps.length - 1));
  const step = program.steps[state.step];
  const uses = (edges, end, words) => make("li", {}, words + ": ", edges.length ? edges.map(edge => `step ${edge[end]} by ${bufferText(edge.buffer)}`).join("; ") : "none");
  byId("step").replaceChildren(make("strong", {}, `Step ${state.step}: `), make("code", {}, step.name), make("ul", {},
    make("li", {}, "place: ", placeLink(step.loc), step.attention == null ? "" : `, attention ${step.attention}`, step.when === "always" ? "" : `, runs ${step.when}`),
    make("li", {}, `${step.tiles == null ? "" : exact(step.tiles) + " tiles, "}${step.flop == null ? "FLOP not counted" : flopText(step.flop)}, ${bytesText(step.bytes)} of operands`),
    uses(program.edges.filter(edge => edge.to === state.step), "from", "comes after"),
    uses(program.edges.filter(edge => edge.from === state.step), "to", "comes before")));
  document.querySelectorAll("[data-step]").forEach(button => button.setAttribute("aria-pressed", String(Number(button.dataset.step) === state.step)));
  graph.redraw();
  showAlive();
}

function showLaunches() {
  const section = byId("launches");
  section.querySelectorAll(":scope > :not(h2)").forEach(element => element.remove());
  if (!program) {
    section.append(make("p", {}, "The launches are unknown: the entry cannot be compiled for this machine."));
    return;
  }
  const {steps} = program, known = groupSteps(steps).reduce((sum, group) => sum + (group.flop ?? 0) * group.count, 0);
  graph.setAttribute("aria-label", `${steps.length} steps and the buffers between them. Left and right choose a step.`);
  const names = [...new Set(steps.map(step => step.family))];
  const rows = steps.map((step, number) => [
    make("button", {class: "pick", "data-step": number, "aria-label": "Choose step " + number, onclick: () => chooseStep(number)}, String(number)),
    make("code", {title: step.name}, step.family), placeLink(step.loc), step.tiles ?? "-", step.buffers.map(operand => operand.shape).join(", "),
    bytesText(step.bytes), step.flop == null ? "-" : flopText(step.flop), step.flop == null || !step.bytes ? "-" : short(step.flop / step.bytes)]);
  section.append(make("p", {id: "work", "data-known": known, "data-all": program.flop}, `${steps.length} steps; ${known ? flopText(known) : "no FLOP counted"} of products and attention.`
      + " A dot is a step, the larger the more bytes its operands have; an arc leads to the next step that uses the same buffer of the arena."),
    graph, make("p", {class: "key"}, ...names.flatMap(name => [make("span", {class: "swatch " + familyColour(name)}), name + " "])),
    make("div", {id: "step", "aria-live": "polite"}),
    make("details", {}, make("summary", {}, "All steps"), makeTable("Steps of " + state.entry, ["", "kernel", "place", "tiles", "operands", "bytes", "FLOP", "FLOP by byte"], rows)));
}
