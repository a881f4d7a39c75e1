/** The error function and the standard normal distribution. */

const TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);
const SQRT_2 = Math.SQRT2;

/** Coefficients of (1 + 2x) exp(x²) erfc(x), x ≥ 0, in Chebyshev polynomials of (x − 3.75) / (x + 3.75). */
const CHEBYSHEV = [
  2.3551578691348034, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
  0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -6.916973302501207e-5, 4.13902798607301e-6,
  7.74038306619849e-7, -2.1886401049234397e-7, 1.076499946567091e-8, 4.521959811218287e-9, -7.754400208831351e-10,
  -6.318088340886684e-11, 2.86879501093067e-11, 1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14,
  3.3478119482868056e-14, -1.864562880419313e-15, -1.2507950530688648e-15, 7.418235256624044e-17, 5.068148904796111e-17,
];

/** exp(x²) erfc(x) for x ≥ 0. */
function scaledErfc(x: number): number {
  const t = (x - 3.75) / (x + 3.75);
  let next = 0;
  let nextButOne = 0;
  for (let k = CHEBYSHEV.length - 1; k >= 1; k--) {
    const here = 2 * t * next - nextButOne + CHEBYSHEV[k];
    nextButOne = next;
    next = here;
  }
  return (t * next - nextButOne + 0.5 * CHEBYSHEV[0]) / (1 + 2 * x);
}

/** exp(−x²), whose relative error would grow with x² if x² were rounded first. */
function expMinusSquare(x: number): number {
  const coarse = Math.fround(x);
  return Math.exp(-coarse * coarse) * Math.exp((coarse - x) * (coarse + x));
}

export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x > 27.3) return 0;
  return x < 0.5 ? 1 - erf(x) : expMinusSquare(x) * scaledErfc(x);
}

export function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 1) return x > 0 ? 1 - erfc(x) : erfc(-x) - 1;
  // DLMF 7.6.1
  const square = x * x;
  let power = 1;
  let sum = 0;
  for (let n = 0; n < 20; n++) {
    sum += power / (2 * n + 1);
    power *= -square / (n + 1);
  }
  return TWO_OVER_SQRT_PI * x * sum;
}

/** The x with erf(x) = y, −1 ≤ y ≤ 1. */
export function erfInverse(y: number): number {
  if (Math.abs(y) > 0.5) return y > 0 ? erfcInverse(1 - y) : -erfcInverse(1 + y);
  let x = 0.5 * Math.sqrt(Math.PI) * y * (1 + (Math.PI / 12) * y * y);
  for (let i = 0; i < 3; i++) x = improve(x, erf(x) - y);
  return x;
}

/** The x with erfc(x) = y, 0 ≤ y ≤ 2. */
export function erfcInverse(y: number): number {
  return -normalQuantile(0.5 * y) / SQRT_2;
}

/** Halley's step for erf, whose second derivative is −2x times the first. */
function improve(x: number, excess: number): number {
  const step = excess / (TWO_OVER_SQRT_PI * Math.exp(-x * x));
  return x - step / (1 + x * step);
}

/** P(Z ≤ z) for a standard normal Z. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z / SQRT_2);
}

/** The z with P(Z ≤ z) = p (Wichura, "The percentage points of the normal distribution", 1988: AS 241). */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRE_ABOVE, r)) / polynomial(CENTRE_BELOW, r);
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const size =
    r <= 5
      ? polynomial(MIDDLE_ABOVE, r - 1.6) / polynomial(MIDDLE_BELOW, r - 1.6)
      : polynomial(TAIL_ABOVE, r - 5) / polynomial(TAIL_BELOW, r - 5);
  return q < 0 ? -size : size;
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i];
  return value;
}

const CENTRE_ABOVE = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const CENTRE_BELOW = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852546,
];
const MIDDLE_ABOVE = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const MIDDLE_BELOW = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const TAIL_ABOVE = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const TAIL_BELOW = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
