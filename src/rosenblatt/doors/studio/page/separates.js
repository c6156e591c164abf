// Does a line separate the points? Decided exactly, in whole numbers, of the decimals that are seen: a false verdict would
// teach what is false.
// With a constant feature a line separates two classes where one direction is ahead on every difference p − m of a +
// point and a − point; without one, where it is ahead on every y x. In the plane that is so where all these vectors lie
// strictly inside a half-plane. Where they do not, three of them add up to zero with weights that are not negative:
// the points of these three prove that there is no line.

/** @typedef {{ x: bigint, y: bigint, of: number[] }} Vector a vector, and the points that it is made of */

/** A number as it is written: m 10^e with whole m and e; 0.1 is a tenth. @param {number} v @returns {[bigint, number]} */
function parts(v) {
  const [digits, power = "0"] = String(v).split("e");
  const [whole, rest = ""] = digits.split(".");
  return [BigInt(whole + rest), Number(power) - rest.length];
}

/** The same numbers, all times one power of ten that makes them whole. @param {number[]} values @returns {bigint[]} */
function wholes(values) {
  const all = values.map(parts);
  const least = Math.min(0, ...all.map(([, e]) => e));
  return all.map(([m, e]) => m * 10n ** BigInt(e - least));
}

/** Two numbers a point, from their mean, times the number of points. @param {bigint[]} values */
function fromMean(values) {
  const n = BigInt(values.length / 2);
  const sums = [0n, 0n];
  values.forEach((v, i) => (sums[i % 2] += v));
  return values.map((v, i) => n * v - sums[i % 2]);
}

/** @param {Vector} a @param {Vector} b */
const cross = (a, b) => a.x * b.y - a.y * b.x;
/** @param {Vector} a @param {Vector} b */
const dot = (a, b) => a.x * b.x + a.y * b.y;

/**
 * The corners of a hull, counterclockwise: those alone matter. (Andrew's monotone chain.)
 * @param {Vector[]} points
 */
function hull(points) {
  const order = [...points].sort((a, b) => (a.x !== b.x ? (a.x < b.x ? -1 : 1) : a.y < b.y ? -1 : a.y > b.y ? 1 : 0));
  const half = (/** @type {Vector[]} */ from) => {
    /** @type {Vector[]} */
    const out = [];
    for (const p of from) {
      while (out.length > 1) {
        const [a, b] = out.slice(-2);
        const turn = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        if (turn > 0n) break;
        out.pop();
      }
      out.push(p);
    }
    return out;
  };
  return [...half(order), ...half(order.reverse())];
}

/**
 * @param {number[][]} places two numbers a point @param {number[]} labels 1 or 0 @param {boolean} constant whether the
 * line may pass anywhere, or through the origin only @param {boolean} [centred] whether the origin is the mean of the points
 * @returns {{ separable: boolean, weights: number[] }} weights of the points that prove that no line separates, sum 1
 */
export function separates(places, labels, constant, centred = false) {
  const whole = centred ? fromMean(wholes(places.flat())) : wholes(places.flat());
  const points = places.map((_, i) => ({ x: whole[2 * i], y: whole[2 * i + 1], of: [i] }));
  const minus = (/** @type {Vector} */ a, /** @type {Vector} */ b) => {
    return { x: a.x - b.x, y: a.y - b.y, of: [...a.of, ...b.of] };
  };
  const none = { x: 0n, y: 0n, of: [] };
  const [plus, less] = [1, 0].map((label) => points.filter((_, i) => labels[i] === label));
  const vectors = constant
    ? hull(plus).flatMap((p) => hull(less).map((m) => minus(p, m)))
    : [...plus, ...less.map((m) => minus(none, m))];
  const proof = sumToZero(vectors);
  const weights = places.map(() => 0);
  if (!proof) return { separable: true, weights };
  const total = proof.reduce((sum, [vector, weight]) => sum + weight * BigInt(vector.of.length), 0n);
  for (const [vector, weight] of proof) {
    const share = Math.max(Number((weight << 60n) / total) / 2 ** 60, weight > 0n ? Number.MIN_VALUE : 0);
    for (const i of vector.of) weights[i] += share;
  }
  return { separable: false, weights };
}

/**
 * Vectors with weights that add up to zero, or null: then all lie strictly inside a half-plane.
 * @param {Vector[]} vectors @returns {[Vector, bigint][] | null}
 */
function sumToZero(vectors) {
  const size = (/** @type {bigint} */ v) => (v < 0n ? -v : v);
  /** The cone so far: from `right` counterclockwise to `left`, less than half a turn. */
  let [right, left] = [vectors[0], vectors[0]];
  for (const v of vectors) {
    if (v.x === 0n && v.y === 0n) return [[v, 1n]];
    const [fromRight, toLeft, open] = [cross(right, v), cross(v, left), cross(right, left)];
    if (open === 0n && fromRight === 0n) {
      if (dot(right, v) > 0n) continue;
      const along = right.x !== 0n ? [size(v.x), size(right.x)] : [size(v.y), size(right.y)];
      return [
        [right, along[0]],
        [v, along[1]],
      ];
    }
    if (fromRight >= 0n && toLeft >= 0n) continue;
    if (fromRight < 0n && toLeft > 0n) right = v;
    else if (toLeft < 0n && fromRight > 0n) left = v;
    else
      return [
        [right, -toLeft],
        [left, -fromRight],
        [v, open],
      ];
  }
  return null;
}
