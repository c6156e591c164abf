// The form: a row, and perhaps its label. Rows are JSON as in the interface; for a tagger also plain words, and for a
// classifier of texts the text.
import { learn, predict } from "./api.js";
import { count, number, text } from "./words.js";

const TAGGERS = new Set(["SequenceTagger"]);
const HINTS = {
  row: 'Numbers [1, 0, 2.5], or some of them by index or column name {"3": 1.5}',
  text: 'A text, or of a table its cells by column name {"title": "A red rose"}',
  sentence: "Words with blanks between them; tags likewise",
};

export function readRow(written, kind) {
  if (TAGGERS.has(kind) && !written.trim().startsWith("[")) return written.trim().split(/\s+/);
  if (kind === "TextClassifier" && !written.trim().startsWith("{")) return written;
  try {
    return JSON.parse(written);
  } catch {
    throw new Error(`A row: expected JSON such as [1, 0, 2.5], found ${written.slice(0, 40)}`);
  }
}

// A label is what the model has: a number where its classes are numbers, and a tag a word for a tagger.
export function readLabel(written, model) {
  if (TAGGERS.has(model.kind)) return written.trim().split(/\s+/);
  const numbers = (model.classes ?? []).length > 0 && model.classes.every((one) => typeof one === "number");
  return numbers && written.trim() !== "" && Number.isFinite(Number(written)) ? Number(written) : written;
}

export function describe(form, model) {
  const hint = TAGGERS.has(model.kind) ? "sentence" : model.kind === "TextClassifier" ? "text" : "row";
  form.querySelector("#hint").textContent = HINTS[hint];
  form.querySelector("#classes").replaceChildren(
    ...(TAGGERS.has(model.kind) ? [] : (model.classes ?? [])).slice(0, 100).map((one) => new Option(String(one)))
  );
}

// One score for two classes, that of the second; else one a class, the highest first.
function scored(found, classes) {
  if (found.score !== undefined) return `, score ${number(found.score)}`;
  const all = (found.scores ?? []).map((score, k) => [score, classes?.[k] ?? k]).sort(([a], [b]) => b - a);
  return all.length ? `; scores: ${all.slice(0, 5).map(([score, label]) => `${label} ${number(score)}`).join(", ")}` : "";
}

export function start(form, current, learned) {
  const [x, y, said] = ["#x", "#y", "#said"].map((one) => form.querySelector(one));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const model = current();
    try {
      const row = readRow(x.value, model.kind);
      if (event.submitter?.value === "learn") {
        if (!y.value.trim()) throw new Error("To learn a row, its label is needed");
        const done = await learn(model.name, row, readLabel(y.value, model));
        said.textContent = `Example ${count(done.seq)} is on disk; before, the prediction was ${text(done.predicted)}`;
        learned();
      } else {
        const found = await predict(model.name, row);
        said.textContent = `${text(found.label)}${scored(found, model.classes)}, after ${count(found.version)} examples`;
      }
      said.className = "";
    } catch (error) {
      said.textContent = error.message;
      said.className = "wrong";
    }
  });
}
