// Capture and recapture: animals that are marked, with a Set of those seen.
import { Gamma, Infer, observe, Poisson, sample } from 'waymark';

const caught = [12, 9, 14];
const model = () => {
  const rate = sample(Gamma({ shape: 4, scale: 3 }));
  const effort = caught.map((_, i) => 1 + 0.1 * i);
  const expected = effort.map((e) => e * rate);
  caught.forEach((n, i) => void observe(Poisson({ mu: expected[i] }), n));
  const [least, most] = [Math.min(...expected), Math.max(...expected)];
  return { rate, range: most - least };
};
export default Infer({ method: 'importance', samples: 3000, model });
