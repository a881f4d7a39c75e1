/** Particles that follow a walk in several dimensions. Arguments: particles, inferences. Its value is milliseconds per inference. */
import { argv, Gaussian, gaussian, Infer, observe } from 'waymark';
import { timed } from './timed.ts';

const [particles, count] = argv._.map(Number);
const OBSERVED = Array.from({ length: 30 }, (_, i) => Math.sin(i / 3));

const model = () => {
  let [x, y, z] = [0, 0, 0];
  for (const seen of OBSERVED) {
    x = gaussian(0.9 * x + 0.1 * Math.sin(y), 0.5);
    y = gaussian(0.9 * y + 0.1 * Math.exp(-z * z), 0.5);
    z = gaussian(0.9 * z + 0.1 * Math.cos(x), 0.5);
    observe(Gaussian({ mu: x + Math.tanh(y * z), sigma: 1 }), seen);
  }
  return x;
};

export default timed(count, (times) => {
  for (let i = 0; i < times; i++) Infer({ method: 'SMC', particles, model });
});
