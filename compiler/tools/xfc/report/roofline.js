// Kernels by floating-point operations and bytes. With the peaks of a machine, which the user types in, the roof and the
// least time of each kernel; without them, the operations of each.

const peaks = {flop: 0, bytes: 0}; ///< per second
let groups = [];

const hasPeaks = () => peaks.flop > 0 && peaks.bytes > 0;
const attainable = intensity => Math.min(peaks.flop, intensity * peaks.bytes);
/** The seconds that launches take at least: by operations or by bytes. */
const leastTime = group => group.count * Math.max((group.flop ?? 0) / peaks.flop, (group.bytes ?? 0) / peaks.bytes);

/** Launches of one kernel with equal work, most work first. Several launches that compute an attention are one where only their
 *  sum is known. */
function groupSteps(steps) {
  const found = new Map(), launches = new Map(), counted = new Set(steps.filter(step => step.flop != null).map(step => step.attention));
  steps.forEach(step => launches.set(step.attention, (launches.get(step.attention) ?? 0) + 1));
  steps.forEach((step, number) => {
    const isShared = step.attention != null && launches.get(step.attention) > 1 && !counted.has(step.attention), attention = data.attentions[step.attention];
    const one = isShared ? {name: `${attention.kind} attention of ${launches.get(step.attention)} launches`, ...attention, number: attention.pattern_number} : step;
    const work = name => typeof one[name] === "number" ? one[name] : null, key = [one.name, one.number, work("flop"), work("bytes")].join();
    if (!found.has(key)) found.set(key, {name: one.name, family: step.family, flop: work("flop"), bytes: work("bytes"), parts: isShared ? launches.get(step.attention) : 1, steps: 0, first: number});
    ++found.get(key).steps;
  });
  const groups = [...found.values()].map(group => ({...group, count: group.steps / group.parts}));
  return groups.sort((x, y) => (y.flop ?? 0) * y.count - (x.flop ?? 0) * x.count || (y.bytes ?? 0) * y.count - (x.bytes ?? 0) * x.count);
}

const rooflineCanvas = makeCanvas("", 300, (context, width, height) => {
  const left = 84, right = 20, bottom = height - 36, points = groups.filter(group => group.flop && group.bytes);
  const value = group => hasPeaks() ? attainable(group.flop / group.bytes) : group.flop * group.count;
  const xs = points.map(group => Math.log10(group.flop / group.bytes)), ys = points.map(group => Math.log10(value(group)));
  if (hasPeaks()) // a part of the slope and of the flat of the roof
    for (const intensity of [0.1, 1, 2].map(factor => factor * peaks.flop / peaks.bytes)) {
      xs.push(Math.log10(intensity));
      ys.push(Math.log10(attainable(intensity)));
    }
  const range = list => list.length ? [Math.floor(Math.min(...list)), Math.max(Math.ceil(Math.max(...list)), Math.floor(Math.min(...list)) + 1)] : [0, 1];
  const [xFrom, xTo] = range(xs), [yFrom, yTo] = range(ys);
  const x = log => left + (width - left - right) * (log - xFrom) / (xTo - xFrom), y = log => bottom - (bottom - 12) * (log - yFrom) / (yTo - yFrom);
  context.font = "11px sans-serif";
  context.fillStyle = colour("quiet");
  context.strokeStyle = colour("faint");
  context.lineWidth = 1;
  context.textAlign = "center";
  for (let log = xFrom; log <= xTo; ++log) { context.fillText(short(10 ** log), x(log), bottom + 14); context.strokeRect(x(log), 12, 0, bottom - 12); }
  context.fillText("FLOP by byte", (left + width) / 2, height - 6);
  context.textAlign = "right";
  for (let log = yFrom; log <= yTo; ++log) { context.fillText(withPrefix(10 ** log, hasPeaks() ? "FLOP/s" : "FLOP"), left - 6, y(log) + 4); context.strokeRect(left, y(log), width - left - right, 0); }
  if (hasPeaks()) {
    context.strokeStyle = colour("text");
    context.lineWidth = 2;
    context.beginPath();
    for (let n = 0; n <= 100; ++n) { const log = xFrom + (xTo - xFrom) * n / 100; context.lineTo(x(log), Math.min(bottom, y(Math.log10(attainable(10 ** log))))); }
    context.stroke();
  }
  for (const group of points) {
    context.fillStyle = colour(familyColour(group.family));
    context.beginPath();
    context.arc(x(Math.log10(group.flop / group.bytes)), y(Math.log10(value(group))), 5, 0, 2 * Math.PI);
    context.fill();
  }
});

function showKernels() {
  const box = byId("kernels"), total = groups.reduce((sum, group) => sum + leastTime(group), 0);
  const heads = ["kernel", "times", "first step", "FLOP of one", "bytes of one", "FLOP by byte", ...hasPeaks() ? ["bound by", "least time", "share"] : []];
  const rows = groups.map(group => [make("code", {title: group.name}, group.name), group.count, group.first, group.flop ?? "-", group.bytes ?? "-",
    group.flop && group.bytes ? short(group.flop / group.bytes) : "-",
    ...hasPeaks() ? [(group.flop ?? 0) / peaks.flop > (group.bytes ?? 0) / peaks.bytes ? "FLOP" : "bytes", timeText(leastTime(group)), shareText(leastTime(group), total)] : []]);
  box.replaceChildren(hasPeaks() ? make("p", {id: "least"}, `At these peaks, one call takes at least ${timeText(total)}.`) : "", makeTable("Kernels of " + state.entry, heads, rows));
  if (data.kernels.length)
    box.append(makeTable("Resources of kernels", ["kernel", "resources"], data.kernels.map(kernel => [make("code", {}, kernel.name), kernel.resources])));
  rooflineCanvas.setAttribute("aria-label", hasPeaks() ? "Roofline: kernels below the roof of this machine" : "Kernels by FLOP by byte and FLOP; the list below has the numbers");
  rooflineCanvas.redraw();
}

function showRoofline() {
  const section = byId("roofline");
  section.querySelectorAll(":scope > :not(h2)").forEach(element => element.remove());
  if (!program) {
    section.append(make("p", {}, "The kernels are unknown: the entry cannot be compiled for this machine."));
    return;
  }
  groups = groupSteps(program.steps);
  const input = (id, label, name, unit) => make("label", {}, label + " ", make("input", {type: "number", id, min: 0, step: "any", value: peaks[name] ? peaks[name] / 1e9 : "",
    oninput: event => { peaks[name] = Math.max(0, Number(event.target.value) || 0) * 1e9; showKernels(); }}), " " + unit);
  section.append(make("p", {}, "Operations are counted for products and attention, bytes for every operand once. Type the peaks of a machine (xf-bench measures them) for its roof and the least time of each kernel."),
    make("div", {class: "bar", role: "group", "aria-label": "Peaks of a machine"}, input("peak-flop", "Peak", "flop", "GFLOP/s"), input("peak-bytes", "Memory", "bytes", "GB/s")),
    rooflineCanvas, make("div", {id: "kernels"}));
  showKernels();
}
