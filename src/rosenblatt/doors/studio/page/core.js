// The core in the page: bindings/wasm compiled to core.wasm, and here its functions over plain arrays. Nothing is
// learned in JavaScript. What the core refuses is an Error with the core's own sentence; it goes on with a new instance.
//
//   const core = await loadCore(bytes)
//   core.trace(points, labels, conventions)                a run, visit by visit: a Run
//   core.votes(points, weights, visits, conventions)       how weight vectors vote at points: a number a point and class
//   core.nearest(points, labels, constant)                 whether a line separates two classes: a Verdict
//   core.kernelTrace(points, labels, kernel, conventions)  a run of the kernel perceptron: a KernelRun
//   core.kernelScores(support, alpha, kernel, points)      its scores at points: machines x points
//
// points: [[x1, x2], ...], any number of coordinates. labels: class numbers from 0; of two, 0 is -1 and 1 is +1.
// Weights are as the lectures write them: the constant feature's first (if there is one), then one a coordinate; with
// three classes and more a row a class, one after the other. `width` is how many numbers that are.
// A run keeps each weight vector once: `weights` has those at the start, then those after update 1, 2, ...; the ones
// after visit v are number k[v], those before it number v ? k[v - 1] : 0. weightsAfter(run, v) and its like take them out.

/** What a mistake was called, as in the tables of Python's trace; "" for none. */
export const WHY = /** @type {const} */ (["", "first step", "w = 0", "wrong side", "on the line", "within the margin"]);
const TIES = /** @type {const} */ (["mistake", "positive", "negative"]);
const ORDERS = /** @type {const} */ (["listed", "shuffled", "first-wrong", "worst-wrong"]);
const STEPS = /** @type {const} */ (["perceptron", "pa", "pa1", "pa2", "arow"]);
const MULTICLASS = /** @type {const} */ (["argmax", "one-vs-rest"]);
const KERNELS = /** @type {const} */ (["linear", "poly", "rbf"]);
const VERDICTS = /** @type {const} */ (["unknown", "separable", "inseparable", "unknown"]);

/**
 * The conventions of a run; each may be left out.
 * @typedef {object} Conventions
 * @property {number} [constant] the value of the constant feature, 0 for none; 1
 * @property {typeof TIES[number]} [tie] what a score of 0 is: a mistake, +1 (the last class), -1 (the first); "mistake"
 * @property {typeof ORDERS[number]} [order] "listed". First and worst wrong: a pass looks at all points and visits one
 * @property {number} [seed] of shuffled orders, Python's random_state; 0
 * @property {number} [first] the row that a listed pass begins with, from 0, to go round from there; 0
 * @property {number} [eta] the learning rate of the perceptron's step; 1
 * @property {number} [margin] a mistake is y s <= margin; left out: 0, with PA and AROW 1 (there it is y s < margin)
 * @property {typeof STEPS[number]} [step] "perceptron"
 * @property {number} [C] of PA-I and PA-II; 1
 * @property {number} [r] of AROW; 1
 * @property {typeof MULTICLASS[number]} [multiclass] "argmax"
 * @property {number} [passes] at most; 1000
 * @property {number} [visits] at most; 2000
 * @property {ArrayLike<number> | null} [start] the weights at the start, `width` numbers; zeros
 * @property {number} [classes] how many there are, if there are more than the labels show
 */

/**
 * One entry a visit, unless said otherwise.
 * @typedef {object} Run
 * @property {number} visits how many there were: 0 if every point was right before the first (first and worst wrong)
 * @property {number} classes
 * @property {number} width numbers of one weight vector
 * @property {Float64Array} pass from 1
 * @property {Float64Array} row of points, from 0
 * @property {Float64Array} mistake 0, or how many contests were lost: 1, with one-vs-rest up to one a class
 * @property {Float64Array} why a place of WHY
 * @property {Float64Array} score before the visit: one for two classes, else one a class, one visit after the other
 * @property {Float64Array} k updates so far, this visit's too; also the number of the weights after it
 * @property {Float64Array} average the mean of the weights after each visit so far: `width` numbers a visit
 * @property {Float64Array} pocket the number of the weights in the pocket: the first with the fewest errors so far
 * @property {Float64Array} weights (updates + 1) x width
 * @property {Float64Array} spread the variances that belong to `weights`, with AROW
 * @property {Float64Array} norm of each of `weights`: its length
 * @property {Float64Array} errors of each of `weights`: how many of all points it gets wrong
 * @property {Float64Array} survived of each of `weights`: how many visits it survived, which are its votes
 * @property {Float64Array} mistakes of each pass
 * @property {boolean} converged whether the last pass was clean
 */

/**
 * @typedef {object} Verdict
 * @property {typeof VERDICTS[number]} verdict
 * @property {number} R the length of the longest point, its constant feature included
 * @property {number} gamma the widest margin, 0 if it was not found
 * @property {Float64Array} w the separator of widest margin, of length 1, the constant feature first; where the verdict is
 *   not "separable", the direction at which the search ended
 * @property {Float64Array} weights one a point, sum 1: sum of weight y x is gamma w. Those over 0 are the support points,
 *   or, where the sum is zero, the points that prove that no line separates
 */

/**
 * @typedef {object} Kernel
 * @property {typeof KERNELS[number]} kind linear x.z + coef0, poly (gamma x.z + coef0)^degree, rbf exp(-gamma |x - z|^2)
 * @property {number} [gamma] 1
 * @property {number} [coef0] 0
 * @property {number} [degree] 3
 */

/**
 * One entry a visit, unless said otherwise; columns of the same name are those of a Run.
 * @typedef {object} KernelRun
 * @property {number} visits
 * @property {number} classes
 * @property {number} width numbers of one alpha: one a point, with three classes and more that for each class
 * @property {Float64Array} pass
 * @property {Float64Array} row
 * @property {Float64Array} mistake
 * @property {Float64Array} why
 * @property {Float64Array} score
 * @property {Float64Array} k
 * @property {Float64Array} alpha (updates + 1) x width, signed: the lectures' alpha times y
 * @property {Float64Array} norm of each alpha: the length of its weights in the kernel's space
 * @property {Float64Array} mistakes of each pass
 * @property {boolean} converged
 */

/** @typedef {ArrayLike<ArrayLike<number>>} Points */
/** @typedef {ReturnType<typeof api>} Core */

/** The weights after visit v of a run, from 0; -1: those at the start. @param {Run} run @param {number} v */
export const weightsAfter = (run, v) => numbered(run.weights, run.width, v < 0 ? 0 : run.k[v]);
/** The mean of the weights after each visit up to v. @param {Run} run @param {number} v */
export const averageAfter = (run, v) => (v < 0 ? weightsAfter(run, v) : numbered(run.average, run.width, v));
/** The weights in the pocket after visit v. @param {Run} run @param {number} v */
export const pocketAfter = (run, v) => numbered(run.weights, run.width, v < 0 ? 0 : run.pocket[v]);
/** The alpha of each point after visit v of a kernel run. @param {KernelRun} run @param {number} v */
export const alphaAfter = (run, v) => numbered(run.alpha, run.width, v < 0 ? 0 : run.k[v]);

/** How many visits each of the weights survived up to visit v: their votes. @param {Run} run @param {number} v */
export function survivedAfter(run, v) {
  const last = v < 0 ? 0 : run.k[v];
  const votes = new Float64Array(last + 1);
  for (let at = 0; at <= v; at += 1) votes[run.k[at]] += 1;
  return votes;
}

/** @param {Float64Array} all @param {number} width @param {number} number */
const numbered = (all, width, number) => all.subarray(number * width, (number + 1) * width);

/**
 * The core. @param {BufferSource} bytes those of core.wasm
 * @returns {Promise<Core>}
 */
export async function loadCore(bytes) {
  return api(await WebAssembly.compile(bytes));
}

/** @param {WebAssembly.Module} module */
function api(module) {
  /** @type {any} */
  let core;
  const start = () => {
    const text = (/** @type {number} */ at) => {
      const memory = new Uint8Array(core.memory.buffer, at);
      return new TextDecoder().decode(memory.slice(0, memory.indexOf(0)));
    };
    const fail = (/** @type {number} */ at) => {
      const words = text(at);
      start();
      throw new Error(words);
    };
    // Time stands still in the core, which looks at the clock only to ask whether it shall stop; it writes no files.
    const clock_time_get = (/** @type {number} */ _id, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
      new DataView(core.memory.buffer).setBigUint64(at, 0n, true);
      return 0;
    };
    const refused = () => 52; // ENOSYS
    const names = WebAssembly.Module.imports(module).map((one) => one.name);
    const wasi = { ...Object.fromEntries(names.map((name) => [name, refused])), clock_time_get };
    core = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi, page: { fail } }).exports;
    core._initialize?.();
  };
  start();

  /**
   * Calls a function of the core with numbers as they are and arrays as where they lie, and takes the columns.
   * @param {string} name @param {(number | Float64Array | Int32Array | null)[]} given @param {number} columns
   */
  const call = (name, given, columns) => {
    const mine = core;
    /** @type {number[]} */
    const taken = [];
    try {
      const passed = given.map((one) => {
        if (one === null || typeof one === "number") return one ?? 0;
        const at = mine.take(Math.max(8, one.byteLength));
        taken.push(at);
        const Kind = /** @type {any} */ (one.constructor);
        new Kind(mine.memory.buffer, at, one.length).set(one);
        return at;
      });
      mine[name](...passed);
      return Array.from({ length: columns }, (_, place) => {
        return new Float64Array(mine.memory.buffer, mine.column(place), mine.size(place)).slice();
      });
    } finally {
      if (core === mine) taken.forEach((at) => mine.give(at));
    }
  };

  return {
    /** @param {Points} points @param {ArrayLike<number>} labels @param {Conventions} [conventions] @returns {Run} */
    trace(points, labels, conventions = {}) {
      const { x, features } = flat(points);
      const classes = classesOf(labels, conventions);
      const width = (classes === 2 ? 1 : classes) * (features + (constantOf(conventions) === 0 ? 0 : 1));
      const from = conventions.start ? Float64Array.from(conventions.start) : null;
      if (from && from.length !== width) {
        throw new Error(`the start weights must be ${width} numbers, found ${from.length}`);
      }
      const y = Int32Array.from(labels);
      const found = call("trace", [x, y, y.length, features, classes, numbers(conventions), from], 14);
      const [pass, row, mistake, why, score, k, average, pocket, weights, norm, errors, survived, mistakes, spread] =
        found;
      const ended = { visits: row.length, classes, width, converged: isClean(row, mistakes, conventions, y.length) };
      return {
        ...ended,
        pass,
        row,
        mistake,
        why,
        score,
        k,
        average,
        pocket,
        weights,
        norm,
        errors,
        survived,
        mistakes,
        spread,
      };
    },

    /**
     * The votes for each class at each point, point by point, of weight vectors (of a run: `weights` up to some number)
     * that have so many votes each (survivedAfter). One weight vector with one vote: which class it answers.
     * @param {Points} points @param {Float64Array} weights @param {ArrayLike<number>} visits
     * @param {Conventions & { classes: number }} conventions
     */
    votes(points, weights, visits, conventions) {
      const { x, rows, features } = flat(points);
      const tie = placeOf(TIES, conventions.tie ?? "mistake", "tie");
      const { classes } = conventions;
      const votes = Float64Array.from(visits);
      const given = [x, rows, features, classes, weights, votes.length, votes, constantOf(conventions), tie];
      return call("votes", given, 1)[0];
    },

    /** @param {Points} points @param {ArrayLike<number>} labels @param {number} [constant] @returns {Verdict} */
    nearest(points, labels, constant = 1) {
      const { x, rows, features } = flat(points);
      const given = [x, Int32Array.from(labels), rows, features, constant, 1e-12];
      const [[ended, R, length, lowest], point, weights] = call("nearest", given, 3);
      const verdict = VERDICTS[ended];
      const separable = verdict === "separable";
      const gamma = separable ? lowest / length : 0;
      return { verdict, R, gamma, w: point.map((value) => (length > 0 ? value / length : 0)), weights };
    },

    /**
     * @param {Points} points @param {ArrayLike<number>} labels @param {Kernel} kernel
     * @param {Conventions} [conventions] its constant and start are not looked at: the constant feature is coef0
     * @returns {KernelRun}
     */
    kernelTrace(points, labels, kernel, conventions = {}) {
      const { x, rows, features } = flat(points);
      const classes = classesOf(labels, conventions);
      const y = Int32Array.from(labels);
      const given = [x, y, rows, features, classes, numbers(conventions), kernelNumbers(kernel)];
      const [pass, row, mistake, why, score, k, alpha, norm2, mistakes] = call("kernel_trace", given, 9);
      const width = (classes === 2 ? 1 : classes) * rows;
      const norm = norm2.map((value) => Math.sqrt(Math.max(0, value)));
      const ended = { visits: row.length, classes, width, converged: isClean(row, mistakes, conventions, rows) };
      return { ...ended, pass, row, mistake, why, score, k, alpha, norm, mistakes };
    },

    /**
     * The scores at points, those of a machine one after the other, of an alpha of a KernelRun.
     * @param {Points} support the points that alpha belongs to @param {Float64Array} alpha @param {Kernel} kernel
     * @param {Points} points
     */
    kernelScores(support, alpha, kernel, points) {
      const held = flat(support);
      const at = flat(points);
      const machines = alpha.length / held.rows;
      const given = [held.x, held.rows, held.features, alpha, machines, kernelNumbers(kernel), at.x, at.rows];
      return call("kernel_scores", given, 1)[0];
    },
  };
}

/** @param {Points} points */
function flat(points) {
  const rows = points.length;
  const features = rows ? points[0].length : 0;
  const x = new Float64Array(rows * features);
  for (let i = 0; i < rows; i += 1) {
    if (points[i].length !== features) {
      throw new Error(`point ${i + 1} must have ${features} coordinates as the first has, found ${points[i].length}`);
    }
    x.set(points[i], i * features);
  }
  return { x, rows, features };
}

/** @param {ArrayLike<number>} labels @param {Conventions} conventions */
const classesOf = (labels, { classes = 2 }) =>
  Math.max(classes, 1 + Array.from(labels).reduce((a, b) => Math.max(a, b), 0));

/** @param {Conventions} conventions */
const constantOf = ({ constant = 1 }) => constant;

/** @template {string} T @param {readonly T[]} words @param {T} word @param {string} what */
function placeOf(words, word, what) {
  const place = words.indexOf(word);
  if (place < 0) throw new Error(`${what} must be one of ${words.join(", ")}, found ${word}`);
  return place;
}

/** In the order of bindings/wasm/conventions.hpp. @param {Conventions} given */
function numbers(given) {
  const { tie = "mistake", order = "listed", seed = 0, first = 0, eta = 1, step = "perceptron" } = given;
  const { margin = step === "perceptron" ? 0 : 1, C = 1, r = 1, multiclass = "argmax" } = given;
  const { passes = 1000, visits = 2000 } = given;
  return Float64Array.of(
    constantOf(given),
    placeOf(TIES, tie, "tie"),
    placeOf(ORDERS, order, "order"),
    seed,
    first,
    eta,
    margin,
    placeOf(STEPS, step, "step"),
    C,
    r,
    placeOf(MULTICLASS, multiclass, "multiclass"),
    passes,
    visits,
  );
}

/** @param {Kernel} kernel */
const kernelNumbers = ({ kind, gamma = 1, coef0 = 0, degree = 3 }) =>
  Float64Array.of(placeOf(KERNELS, kind, "kernel"), gamma, coef0, degree);

/**
 * Whether the last pass was clean, and not cut by the number of visits.
 * @param {Float64Array} row @param {Float64Array} mistakes @param {Conventions} conventions @param {number} rows
 */
function isClean(row, mistakes, { order = "listed" }, rows) {
  const whole = order === "listed" || order === "shuffled" ? row.length === mistakes.length * rows : true;
  return whole && mistakes.length > 0 && mistakes[mistakes.length - 1] === 0;
}
