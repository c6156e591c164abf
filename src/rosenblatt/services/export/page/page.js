// The page of a classifier of texts: what is typed is answered at once, by classify.js.
import { build } from "./classify.js";

const FEW = 10; // labels and words that are shown at first
const FAINT = 0.1; // of the largest share: a word with less is not coloured

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const content = (/** @type {string} */ id) => at(id).textContent ?? "";

/** @param {string} name @param {string} text @param {string} [kind] */
function element(name, text, kind) {
  const node = document.createElement(name);
  node.textContent = text;
  if (kind) node.className = kind;
  return node;
}

/** @param {number} share of the largest one @param {string} text */
function mark(share, text) {
  const node = element("mark", text, share > 0 ? "for" : "against");
  node.style.setProperty("--share", String(Math.abs(share)));
  return node;
}

const signed = (/** @type {number} */ number) => (number < 0 ? "\u2212" : "+") + Math.abs(number).toFixed(2);
const percent = (/** @type {number} */ number) => `${(100 * number).toFixed(1)}\u00a0%`;

try {
  const classify = await build(content("core"), content("arrays"), JSON.parse(content("facts")));
  at("core").remove();
  at("arrays").remove();
  start(classify);
} catch (error) {
  at("answer").textContent = `This page cannot answer: ${/** @type {Error} */ (error).message}`;
}

/** @param {import("./classify.js").Classify} classify */
function start(classify) {
  const { labels, facts } = classify;
  const field = /** @type {HTMLTextAreaElement} */ (at("text"));
  /** @type {import("./classify.js").Label | undefined} */
  let chosen; // the label that words are for; none: the answer
  let all = false;

  const show = () => {
    const text = field.value;
    const empty = text.trim() === "";
    at("labels").hidden = at("why").hidden = empty;
    if (empty) {
      at("answer").textContent = "Its label comes while you type.";
      delete at("answer").dataset.label;
      return;
    }
    const answer = classify(text, chosen);
    const name = answer.answers.join(", ") || "none";
    if (at("answer").dataset.label !== name) {
      at("answer").replaceChildren(facts.several ? "Labels: " : "Label: ", element("b", name));
      at("answer").dataset.label = name;
    }
    showLabels(answer);
    showWords(text, answer.words, String(chosen ?? answer.label));
  };

  /** @param {import("./classify.js").Answer} answer */
  const showLabels = ({ probabilities, scores, label }) => {
    const both = labels.length === 2 && scores.length === 1 ? [-scores[0], scores[0]] : scores;
    const numbers = probabilities ? labels.map((one) => probabilities[String(one)]) : both;
    const most = probabilities ? 1 : both.reduce((size, score) => Math.max(size, Math.abs(score)), 1e-9);
    const order = labels.map((_, k) => k).sort((one, other) => numbers[other] - numbers[one]);
    at("labels-title").textContent = probabilities ? "How likely each label is" : "The score of each label";
    const focused = at("bars").contains(document.activeElement);
    const shown = all ? order : order.slice(0, FEW);
    at("bars").replaceChildren(
      ...shown.map((k) => {
        const button = /** @type {HTMLButtonElement} */ (element("button", ""));
        const track = element("span", "", "track");
        const bar = element("span", "", "bar");
        bar.style.setProperty("--share", String(Math.max(0, numbers[k]) / most));
        track.append(bar);
        const value = element("span", probabilities ? percent(numbers[k]) : signed(numbers[k]), "value");
        button.append(element("span", String(labels[k]), "name"), track, value);
        button.type = "button";
        const pressed = labels[k] === (chosen ?? label);
        button.setAttribute("aria-pressed", String(pressed));
        button.addEventListener("click", () => {
          chosen = labels[k];
          show();
        });
        const item = document.createElement("li");
        item.append(button);
        return item;
      }),
    );
    if (focused) /** @type {HTMLElement | null} */ (at("bars").querySelector("[aria-pressed=true]"))?.focus();
    at("all").hidden = labels.length <= FEW;
    at("all").textContent = all ? `Show ${FEW} labels` : `Show all ${labels.length} labels`;
  };

  /** @param {string} text @param {import("./classify.js").Word[]} words @param {string} label */
  const showWords = (text, words, label) => {
    const largest = words.reduce((most, { share }) => Math.max(most, Math.abs(share)), 0);
    at("why-title").textContent = `The words that decide about ${label}`;
    /** @type {(string | Node)[]} */
    const parts = [];
    let place = 0;
    for (const { share, begin, end } of words) {
      if (largest === 0 || Math.abs(share) < FAINT * largest) continue;
      parts.push(text.slice(place, begin), mark(share / largest, text.slice(begin, end)));
      place = end;
    }
    at("marked").replaceChildren(...parts, text.slice(place));
    const known = [mark(1, "solid line"), `: for ${label}. `, mark(-1, "dotted line"), ": against it."];
    at("key").replaceChildren(...(largest > 0 ? known : ["The model knows no word of this text."]));
    const heaviest = words.filter(({ share }) => share !== 0).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
    at("words").replaceChildren(
      ...heaviest.slice(0, FEW).map(({ word, share }) => {
        const row = document.createElement("tr");
        row.append(element("td", word), element("td", signed(share)));
        return row;
      }),
    );
    /** @type {HTMLElement} */ (at("words").parentElement).hidden = heaviest.length === 0;
  };

  const day = facts.trained === null ? "" : ` on ${facts.trained}`;
  const [texts, features] = [facts.texts, facts.features].map((number) => number.toLocaleString("en"));
  at("about").textContent =
    `A text classifier, trained${day} by ${facts.library} on ${texts} texts: ${labels.length} labels, ` +
    `${features} features. It runs in this page: what you type is not sent anywhere.`;
  field.addEventListener("input", () => {
    chosen = undefined;
    show();
  });
  at("all").addEventListener("click", () => {
    all = !all;
    show();
  });
  show();
  document.body.dataset.ready = "";
}
