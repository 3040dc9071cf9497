// The whole page: chooses an entry, follows the colours of the system, and shows the text of the program when it is asked for.

function showEntry(name) {
  state.entry = name;
  state.step = 0;
  const entry = data.entries.find(one => one.name === name);
  program = entry ? {...entry, edges: edgesOf(entry)} : null;
  families.clear();
  showAttentions();
  showLaunches();
  showArena();
  showRoofline();
  chooseStep(0);
}

/** Writes the lines of the program, once. */
function showProgram() {
  const details = byId("text");
  if (!details) return;
  details.open = true;
  if (details.querySelector("ol")) return;
  details.append(make("ol", {class: "lines"}, ...data.text.replace(/\n$/, "").split("\n").map((line, number) => make("li", {id: "line-" + (number + 1)}, line))));
}

function showTextSection() {
  const section = byId("program");
  if (data.text == null) {
    section.append(make("p", {}, `The text of ${data.file} is too long for this page.`));
    return;
  }
  section.append(make("details", {id: "text", ontoggle: event => { if (event.target.open) showProgram(); }}, make("summary", {}, data.file)));
}

function start() {
  const names = [...new Set([...data.entries.map(entry => entry.name), ...data.attentions.map(attention => attention.entry)])];
  document.title = data.name + ": xfc explain";
  byId("title").textContent = data.name;
  byId("summary").textContent = `${names.length} entries, ${data.attentions.length} attentions, ${data.patterns.length} patterns; for ${data.machine}.`;
  byId("entry").append(...names.map(name => make("option", {value: name}, name)));
  byId("entry").addEventListener("change", event => showEntry(event.target.value));
  byId("scheme").addEventListener("change", event => {
    document.documentElement.dataset.scheme = event.target.value;
    redraw();
  });
  showTextSection();
  if (names.length) showEntry(names[0]);
}

const redraw = () => redraws.forEach(draw => draw());
window.addEventListener("resize", redraw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
start();
