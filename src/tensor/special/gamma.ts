/** The gamma function's logarithm and its derivatives, and what is made of them. */
import { HALF_LOG_2PI } from '../constants.ts';

/** 1 − γ, with γ Euler's constant. */
const ONE_MINUS_EULER = 0.42278433509846713;

/** (ζ(k) − 1) / k for k = 2, 3, …: the series of log Γ(2 + w) (DLMF 5.7.3). */
const ZETA_TERMS = [
  0.3224670334241132, 0.0673523010531981, 0.020580808427784546, 0.007385551028673986, 0.0028905103307415234,
  0.001192753911703261, 0.0005096695247430425, 0.00022315475845357939, 9.945751278180853e-5, 4.492623673813314e-5,
  2.050721277567069e-5, 9.439488275268397e-6, 4.374866789907488e-6, 2.039215753801366e-6, 9.55141213040742e-7,
  4.492469198764566e-7, 2.1207184805554665e-7, 1.0043224823968099e-7, 4.7698101693639804e-8, 2.2711094608943164e-8,
  1.0838659214896955e-8, 5.183475041970047e-9, 2.4836745438024785e-9, 1.1921401405860912e-9, 5.731367241678862e-10,
];

/** Above this argument the asymptotic series below are exact to rounding. */
const ASYMPTOTIC_FROM = 10;

/** log Γ(2 + w) for |w| ≤ 1/2. Keeps all digits near its zero at w = 0. */
function logGammaNearTwo(w: number): number {
  let sum = 0;
  for (let i = ZETA_TERMS.length - 1; i >= 0; i--) sum = ZETA_TERMS[i] - w * sum;
  return w * (ONE_MINUS_EULER + w * sum);
}

/** What Stirling's formula leaves out: log Γ(x + 1) − ((x + ½) log x − x + ½ log 2π), for x ≥ 10 (DLMF 5.11.1). */
export function stirlingError(x: number): number {
  const s = 1 / (x * x);
  return (
    (0.08333333333333333 -
      s *
        (0.002777777777777778 -
          s *
            (0.0007936507936507937 -
              s *
                (0.0005952380952380953 -
                  s *
                    (0.0008417508417508417 -
                      s * (0.0019175269175269176 - s * (0.00641025641025641 - s * 0.029550653594771242))))))) /
    x
  );
}

/** log |Γ(x)|; ∞ at the poles 0, −1, −2, … */
export function logGamma(x: number): number {
  if (x >= ASYMPTOTIC_FROM) {
    if (x === Infinity) return Infinity;
    return (x - 0.5) * Math.log(x) - x + HALF_LOG_2PI + stirlingError(x);
  }
  if (x > 2.5) {
    let product = 1;
    let y = x;
    while (y > 2.5) {
      y -= 1;
      product *= y;
    }
    return Math.log(product) + logGammaNearTwo(y - 2);
  }
  if (x >= 1.5) return logGammaNearTwo(x - 2);
  if (x >= 0.5) return logGammaNearTwo(x - 1) - Math.log(x);
  if (x > 0) return logGammaNearTwo(x) - Math.log1p(x) - Math.log(x);
  if (Number.isNaN(x)) return x;
  if (Number.isInteger(x)) return Infinity;
  // Reflection (DLMF 5.5.3).
  return Math.log(Math.PI / Math.abs(sinPi(x))) - logGamma(1 - x);
}

/** sin(πx), exact at integers however large. */
function sinPi(x: number): number {
  return Math.sin(Math.PI * (x - 2 * Math.round(x / 2)));
}

/** The derivative of log Γ. NaN at the poles 0, −1, −2, … */
export function digamma(x: number): number {
  if (x <= 0) {
    if (Number.isInteger(x)) return Number.NaN;
    const angle = Math.PI * (x - Math.round(x));
    return digamma(1 - x) - Math.PI / Math.tan(angle);
  }
  let shift = 0;
  let y = x;
  while (y < ASYMPTOTIC_FROM) {
    shift += 1 / y;
    y += 1;
  }
  const s = 1 / (y * y);
  const tail =
    s *
    (0.08333333333333333 -
      s *
        (0.008333333333333333 -
          s *
            (0.003968253968253968 -
              s *
                (0.004166666666666667 -
                  s *
                    (0.007575757575757576 -
                      s * (0.021092796092796094 - s * (0.08333333333333333 - s * 0.4432598039215686)))))));
  return Math.log(y) - 0.5 / y - tail - shift;
}

/** The derivative of digamma. ∞ at the poles. */
export function trigamma(x: number): number {
  if (x <= 0) {
    if (Number.isInteger(x)) return Infinity;
    const sine = sinPi(x);
    return (Math.PI * Math.PI) / (sine * sine) - trigamma(1 - x);
  }
  let shift = 0;
  let y = x;
  while (y < ASYMPTOTIC_FROM) {
    shift += 1 / (y * y);
    y += 1;
  }
  const s = 1 / (y * y);
  const tail =
    s *
    (0.16666666666666666 -
      s *
        (0.03333333333333333 -
          s *
            (0.023809523809523808 -
              s *
                (0.03333333333333333 -
                  s *
                    (0.07575757575757576 -
                      s * (0.2531135531135531 - s * (1.1666666666666667 - s * 7.092156862745098)))))));
  return (1 + 0.5 / y + tail) / y + shift;
}

/** log B(a, b) for a, b > 0, without the cancellation of three log-gammas when one argument is large. */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < ASYMPTOTIC_FROM) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const sum = small + large;
  const correction = stirlingError(large) - stirlingError(sum);
  if (small < ASYMPTOTIC_FROM) {
    return logGamma(small) + correction + small - small * Math.log(sum) - (large - 0.5) * Math.log1p(small / large);
  }
  return (
    HALF_LOG_2PI +
    stirlingError(small) +
    correction +
    small * Math.log(small / sum) -
    0.5 * Math.log(small) -
    (large - 0.5) * Math.log1p(small / large)
  );
}

const FACTORIALS = 256;
const logFactorials = Float64Array.from({ length: FACTORIALS }, (_, k) => logGamma(k + 1));

/** log k! for a whole number k ≥ 0. */
export function logFactorial(k: number): number {
  return k < FACTORIALS ? logFactorials[k] : logGamma(k + 1);
}

/** log of the binomial coefficient, n ≥ k ≥ 0. */
export function logChoose(n: number, k: number): number {
  if (k === 0 || k === n) return 0;
  if (n < FACTORIALS) return logFactorials[n] - logFactorials[k] - logFactorials[n - k];
  return -Math.log(n + 1) - logBeta(n - k + 1, k + 1);
}
