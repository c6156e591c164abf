// The page: asks the server once a second what has changed, and shows it. Hidden tabs ask nothing.
import * as api from "./api.js";
import { draw } from "./curve.js";
import { describe, start } from "./try_form.js";
import { count, element, percent, rate, text } from "./words.js";

const EVERY = 1000; // milliseconds
const WINDOW = 10; // seconds over which throughput is measured
const at = (id) => document.getElementById(id);

let models = [];
let shown; // of the model that is drawn: its name, sequence number, classes and curve
let history = []; // [seconds, examples] of the current model, the newest last

const chosen = () => decodeURIComponent(location.hash.slice(1));
const current = () => models.find((one) => one.name === chosen()) ?? models[0];

// Links stay while their words change, so that the focus is not lost.
function showModels(now) {
  const list = at("models");
  const known = new Map(Array.from(list.children, (item) => [item.firstChild.dataset.name, item]));
  const items = models.map((one) => known.get(one.name) ?? newItem(one.name));
  if (items.length !== list.children.length || items.some((item, k) => item !== list.children[k])) {
    list.replaceChildren(...items);
  }
  models.forEach((one, k) => {
    const link = items[k].firstChild;
    link.lastChild.textContent = `${count(one.examples)} examples, ${percent(one.mistakes, one.examples)} wrong`;
    if (one === now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  at("model").hidden = models.length === 0;
}

// Models that are being opened, or cannot be, and why.
function showUnavailable(reasons) {
  const items = reasons.map(([name, why]) => element("li", {}, `${name}: ${why}`));
  at("unavailable").replaceChildren(...items);
  at("empty").hidden = models.length + items.length > 0;
}

function newItem(name) {
  const link = element("a", { href: `#${encodeURIComponent(name)}` }, name, element("span"));
  link.dataset.name = name;
  return element("li", {}, link);
}

function throughput(model) {
  const now = performance.now() / 1000;
  if (history.at(-1)?.[1] > model.examples) history = []; // a rollback
  history = [...history.filter(([when]) => now - when <= WINDOW), [now, model.examples]];
  const [[then, before]] = history;
  return now > then ? (model.examples - before) / (now - then) : 0;
}

function showFigures(model) {
  const figures = {
    examples: count(model.examples),
    mistakes: count(model.mistakes),
    "mistake rate": percent(model.mistakes, model.examples),
    "examples/s": rate(throughput(model)),
    waiting: count(model.queue),
    "since snapshot": count(model.seq - model.snapshot_seq),
  };
  const made = Object.entries(figures).map(([name, value]) =>
    element("div", {}, element("dt", { textContent: name }), element("dd", { textContent: value }))
  );
  at("figures").replaceChildren(...made);
}

function showRounds(rounds) {
  const rows = rounds.toReversed().map((one) => {
    const right = text(one.predicted) === text(one.y);
    const sign = element("span", { role: "img", ariaLabel: right ? "right" : "a mistake" }, right ? "✓" : "✗");
    const mark = element("td", { className: right ? "right" : "wrong" }, `${text(one.predicted)} `, sign);
    const cells = [text(one.y), text(one.x).slice(0, 200), one.id].map((value) => element("td", { textContent: value }));
    return element("tr", {}, element("td", { textContent: count(one.seq) }), mark, ...cells);
  });
  at("rounds").tBodies[0].replaceChildren(...rows);
  at("rounds").hidden = rows.length === 0;
  at("none").hidden = rows.length > 0;
}

function showCurve() {
  if (shown) draw(at("curve").querySelector("svg"), at("legend"), shown.curve, shown.examples);
}

async function showModel(model) {
  if (shown?.name !== model.name) {
    history = [];
    describe(at("try"), model);
    at("try").reset();
    at("said").textContent = "";
  }
  at("title").textContent = model.name;
  const set = Object.entries(model.parameters ?? {}).map(([name, value]) => `${name}=${text(value)}`);
  at("about").textContent = `${model.kind}(${set.join(", ")})`;
  at("stopped").textContent = model.stopped ?? "";
  at("stopped").hidden = !model.stopped;
  showFigures(model);
  if (shown?.name === model.name && shown.seq === model.seq) return;
  const [curve, rounds] = await Promise.all([api.curve(model.name), api.lastRounds(model.name)]);
  if (current()?.name !== model.name) return; // another was chosen in the meantime
  if (shown?.name === model.name && (shown.classes ?? "") !== text(model.classes)) describe(at("try"), model);
  shown = { name: model.name, seq: model.seq, examples: model.examples, classes: text(model.classes), curve };
  showCurve();
  showRounds(rounds);
}

function say(state, words) {
  if (at("state").textContent !== words) at("state").textContent = words; // a screen reader reads changes
  at("state").className = state;
}

async function refresh() {
  try {
    const said = await api.models();
    models = said.models;
    const now = current();
    showModels(now);
    showUnavailable(Object.entries(said.unavailable));
    if (now) await showModel(now);
    at("token").hidden = true;
    if (now?.stopped) say("away", "learning has stopped");
    else say("ready", "ready");
  } catch (error) {
    const unknown = error.status === 401 || error.status === 403;
    at("token").hidden = !unknown;
    say("away", unknown ? "needs a token" : "no answer");
  }
}

let waiting;
async function loop() {
  clearTimeout(waiting);
  if (!document.hidden) await refresh();
  clearTimeout(waiting);
  waiting = setTimeout(loop, EVERY);
}

at("create").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const name = at("name").value;
    await api.create(name, at("kind").value, JSON.parse(at("parameters").value || "{}"));
    at("made").textContent = `${name} is there`;
    at("made").className = "";
    location.hash = encodeURIComponent(name);
    await loop();
  } catch (error) {
    at("made").textContent = error.message;
    at("made").className = "wrong";
  }
});

at("token").addEventListener("submit", (event) => {
  event.preventDefault();
  api.keepToken(at("secret").value);
  loop();
});

start(at("try"), current, loop);
addEventListener("hashchange", loop);
addEventListener("resize", showCurve);
document.addEventListener("visibilitychange", loop);
loop();
