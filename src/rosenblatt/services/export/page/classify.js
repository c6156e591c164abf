// A classifier of texts: the core as WebAssembly, and one model. Nothing is fetched and nothing is sent.
//
//   const classify = await load()
//   classify(text)         -> {label, probabilities, answers, scores, words}: see Answer
//   classify(text, label)  the same, but words are for this label, or against it
//   classify.labels        the labels, sorted, in the order of the scores
//   classify.facts         what is known of the model: see Facts

/** @typedef {string | number | boolean} Label */

/**
 * @typedef {object} Answer
 * @property {Label} label the answer; of a model of several labels a text the best of them
 * @property {Label[]} answers this label alone; of a model of several labels all that the text has, maybe none
 * @property {Record<string, number> | null} probabilities of each label; null if the model was trained without them
 * @property {number[]} scores of each label, in the order of `labels`; with two labels the score of the second alone:
 *   below 0 it means the first
 * @property {Word[]} words the words of the text in their order
 */

/**
 * @typedef {object} Word
 * @property {string} word as it is in the text
 * @property {number} share what it adds to the score of the label; below 0, what it takes from it
 * @property {number} begin the place of its first character, as JavaScript counts
 * @property {number} end the place behind its last character
 */

/**
 * What is known of the model.
 * @typedef {object} Facts
 * @property {Label[]} labels
 * @property {number[]} shape bits, ngrams, chars_least, chars_most, weighting
 * @property {number} features
 * @property {boolean} several whether a text may have several labels, or none
 * @property {number} bias the value of the constant feature
 * @property {{knots: number[], slopes: number[]} | null} calibration
 * @property {number} texts how many it has learned from
 * @property {string} library
 * @property {string | null} trained when, as year-month-day
 * @property {string} title
 */

/** @typedef {((text: string, label?: Label) => Answer) & {labels: Label[], facts: Facts}} Classify */

/**
 * @param {string} program the core, packed by gzip, as base64
 * @param {string} model its arrays, packed in the same way
 * @param {Facts} facts
 * @returns {Promise<Classify>}
 */
export async function build(program, model, facts) {
  const module = await WebAssembly.compile(await unpack(program));
  const arrays = await unpack(model);
  const { labels, calibration, several } = facts;
  const machines = labels.length === 2 && !several ? 1 : labels.length;
  /** @type {any} */
  let core;

  // What the core refuses is an Error with its sentence. It does not come back from that: the next call begins anew.
  const fail = (/** @type {number} */ at) => {
    const memory = new Uint8Array(core.memory.buffer, at);
    const words = new TextDecoder().decode(memory.slice(0, memory.indexOf(0)));
    core = null;
    throw new Error(words);
  };
  // Time stands still in the core, which looks at the clock only to ask whether it shall stop; it writes no files.
  const clock_time_get = (/** @type {number} */ _id, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
    new DataView(core.memory.buffer).setBigUint64(at, 0n, true);
    return 0;
  };
  const refused = () => 52; // ENOSYS
  const start = () => {
    const names = WebAssembly.Module.imports(module).map((one) => one.name);
    const wasi = { ...Object.fromEntries(names.map((name) => [name, refused])), clock_time_get };
    core = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi, page: { fail } }).exports;
    core._initialize?.();
    const at = core.take(arrays.byteLength);
    new Uint8Array(core.memory.buffer, at, arrays.byteLength).set(arrays);
    const n = facts.features;
    const counts = at + 8 * n;
    const total = new Int32Array(core.memory.buffer, counts, n + 1).reduce((sum, count) => sum + count, 0);
    const owners = counts + 4 * (n + 1);
    core.load(...facts.shape, n, machines, facts.bias, at, at + 4 * n, counts, owners, owners + 4 * total);
    core.give(at);
  };
  start();

  /** @param {Uint8Array} bytes @param {(at: number) => void} ask @param {number} columns @returns {Float64Array[]} */
  const call = (bytes, ask, columns) => {
    if (core === null) start();
    const mine = core;
    const at = mine.take(bytes.length + 8);
    new Uint8Array(mine.memory.buffer, at, bytes.length).set(bytes);
    ask(at);
    mine.give(at);
    return Array.from({ length: columns }, (_, k) =>
      new Float64Array(mine.memory.buffer, mine.column(k), mine.size(k)).slice(),
    );
  };

  /** @param {number[]} scores @returns {number} */
  const best = (scores) => (machines === 1 ? +(scores[0] > 0) : scores.indexOf(largest(scores)));

  /** @param {number[]} scores */
  const likely = (scores) => {
    if (calibration === null) return null;
    const { knots, slopes } = calibration;
    const ends = [-Infinity, ...knots, Infinity];
    const within = (/** @type {number} */ score, /** @type {number} */ k) =>
      Math.min(Math.max(score, ends[k]), ends[k + 1]);
    const logits = (machines === 1 ? [0, scores[0]] : scores).map((score) =>
      slopes.reduce((sum, slope, k) => sum + slope * (within(score, k) - within(0, k)), 0),
    );
    if (several) return Object.fromEntries(logits.map((logit, k) => [String(labels[k]), 1 / (1 + Math.exp(-logit))]));
    const most = largest(logits);
    const powers = logits.map((logit) => Math.exp(logit - most));
    const sum = powers.reduce((one, other) => one + other);
    return Object.fromEntries(powers.map((power, k) => [String(labels[k]), power / sum]));
  };

  /** @param {string} text @param {Uint8Array} bytes @param {number} label @returns {Word[]} */
  const words = (text, bytes, label) => {
    const sign = machines === 1 && label === 0 ? -1 : 1;
    const ask = (/** @type {number} */ at) => core.reasons(at, bytes.length, machines === 1 ? 0 : label);
    const [begins, ends, shares] = call(bytes, ask, 3);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const ascii = bytes.length === text.length;
    const size = (/** @type {number} */ from, /** @type {number} */ to) =>
      ascii ? to - from : decoder.decode(bytes.subarray(from, to)).length;
    let byte = 0;
    let place = 0;
    return Array.from(shares, (share, k) => {
      const begin = place + size(byte, begins[k]);
      place = begin + size(begins[k], (byte = ends[k]));
      return { word: text.slice(begin, place), share: sign * share || 0, begin, end: place };
    });
  };

  /** @type {Classify} */
  const classify = Object.assign(
    (/** @type {string} */ text, /** @type {Label | undefined} */ label) => {
      if (typeof text !== "string") throw new TypeError(`expected a text, found ${text}`);
      const bytes = new TextEncoder().encode(text);
      const [column] = call(bytes, (at) => core.scores(at, bytes.length), 1);
      const scores = Array.from(column);
      const number = label === undefined ? best(scores) : labels.indexOf(label);
      if (number < 0) throw new RangeError(`expected one of ${labels.join(", ")}, found ${label}`);
      const highest = labels[best(scores)];
      return {
        label: highest,
        answers: several ? labels.filter((_, k) => scores[k] > 0) : [highest],
        probabilities: likely(scores),
        scores,
        words: words(text, bytes, number),
      };
    },
    { labels, facts },
  );
  return classify;
}

/** @param {number[]} numbers any number of them */
const largest = (numbers) => numbers.reduce((one, other) => Math.max(one, other));

/** @param {string} packed base64 of gzip */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
