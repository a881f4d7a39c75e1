/** A mixture of two Gaussians, its components summed over. Arguments: data, steps. Its value is milliseconds per step. */
import { argv, factor, Gaussian, mapData, modelParam, Optimize } from 'waymark';
import { timed } from './timed.ts';

const [size, count] = argv._.map(Number);
const data = Array.from({ length: size }, (_, i) => Math.sin(i * 12.9898) + (i % 3 === 0 ? 3 : 0));

const model = () => {
  const [a, b] = [modelParam({ name: 'a', mu: -1 }), modelParam({ name: 'b', mu: 1 })];
  mapData({ data }, (y) => {
    const [p, q] = [Gaussian({ mu: a, sigma: 1 }).score(y), Gaussian({ mu: b, sigma: 1 }).score(y)];
    factor(Math.log(0.5 * Math.exp(p) + 0.5 * Math.exp(q)));
  });
};

export default timed(count, (steps) => Optimize(model, { steps, params: {}, optMethod: { adam: { stepSize: 0.01 } } }));
