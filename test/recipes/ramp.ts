/** A family that the library does not have: on [0, 1], with a density that rises or falls like a ramp. */
import { family } from '../../src/distributions/family.ts';
import { real } from '../../src/distributions/parameter.ts';
import { reals } from '../../src/distributions/value-kind.ts';

/** Density 1 + tanh(tilt) (2x − 1). */
export const Ramp = family(
  { name: 'Ramp', params: { tilt: real }, values: reals },
  {
    draw({ tilt }, random) {
      const [u, slope] = [random.uniform(), Math.tanh(tilt)];
      // The root of slope x² + (1 − slope) x = u.
      const rest = 1 - slope;
      return (2 * u) / (rest + Math.sqrt(rest * rest + 4 * slope * u));
    },
    score: ({ tilt }, x) => (x < 0 || x > 1 ? -Infinity : Math.log1p(Math.tanh(tilt) * (2 * x - 1))),
    support: () => ({ lower: 0, upper: 1 }),
    mean: ({ tilt }) => 0.5 + Math.tanh(tilt) / 6,
  },
);
