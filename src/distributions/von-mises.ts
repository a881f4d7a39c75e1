import { LOG_2PI } from '../tensor/constants.ts';
import { besselRatio, logBesselI0 } from '../tensor/special/bessel.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** An angle from −π to π, concentrated about `mu` as much as `kappa` says: the normal distribution on a circle. */
export const VonMises = family(
  { name: 'VonMises', params: { mu: real, kappa: positive }, values: reals },
  {
    draw({ mu, kappa }, random) {
      // Beyond these it is uniform, or normal, to the last digit, and what follows has no digits left.
      if (kappa < 1e-100) return wrap(2 * Math.PI * (random.uniform() - 0.5));
      if (kappa > 1e12) return wrap(mu + random.gaussian() / Math.sqrt(kappa));
      // Best & Fisher, "Efficient simulation of the von Mises distribution", 1979. For small kappa their r loses its
      // digits, and a series takes over.
      const tau = 1 + Math.sqrt(1 + 4 * kappa * kappa);
      const rho = (tau - Math.sqrt(2 * tau)) / (2 * kappa);
      const r = kappa < 1e-5 ? 1 / kappa + kappa : (1 + rho * rho) / (2 * rho);
      for (;;) {
        const z = Math.cos(Math.PI * random.uniform());
        const f = (1 + r * z) / (r + z);
        const c = kappa * (r - f);
        const u = random.uniform();
        if (c * (2 - c) > u || Math.log(c / u) + 1 >= c) {
          const angle = Math.acos(Math.min(1, Math.max(-1, f)));
          return wrap(mu + (random.uniform() < 0.5 ? -angle : angle));
        }
      }
    },
    score({ mu, kappa }, x) {
      if (x < -Math.PI || x > Math.PI) return -Infinity;
      // Large numbers would be subtracted: I₀(κ) is e^κ / √(2πκ) times 1 + 1/(8κ) (DLMF 10.40.1), and cos a is 1 − 2 sin²(a/2).
      if (kappa > 1e6)
        return 0.5 * (Math.log(kappa) - LOG_2PI) - 2 * kappa * Math.sin(0.5 * (x - mu)) ** 2 - 1 / (8 * kappa);
      return kappa * Math.cos(x - mu) - LOG_2PI - logBesselI0(kappa);
    },
    support: () => ({ lower: -Math.PI, upper: Math.PI }),
    entropy: ({ kappa }) =>
      kappa > 1e6
        ? 0.5 * (1 + LOG_2PI - Math.log(kappa)) + 1 / (4 * kappa)
        : LOG_2PI + logBesselI0(kappa) - kappa * besselRatio(kappa),
  },
);

/** The same angle from −π to π. */
function wrap(angle: number): number {
  const turns = Math.round(angle / (2 * Math.PI));
  return Math.min(Math.PI, Math.max(-Math.PI, angle - 2 * Math.PI * turns));
}
