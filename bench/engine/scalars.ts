/** Scalar programs: a linear regression of 20 points written with one node per operation, and its gradient. */
import '../../src/tensor/evaluate.ts';
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { input, scalar } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, div, exp, log, mul, square, sub } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { best, report, timeBar } from './measure.ts';

const xs = Array.from({ length: 20 }, (_, i) => i / 10);
const ys = xs.map((x) => 1.5 * x - 0.3 + 0.1 * Math.sin(7 * x));
const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

function gaussianScore(mu: Node | number, sigma: Node | number, x: Node | number): Node {
  const z = div(sub(x as Node, mu), sigma);
  return sub(sub(mul(-0.5, square(z)), log(sigma as Node)), HALF_LOG_2PI) as Node;
}

function logDensity(slope: Node, intercept: Node, logSigma: Node): Node {
  const sigma = exp(logSigma);
  let total = add(add(gaussianScore(0, 2, slope), gaussianScore(0, 2, intercept)), gaussianScore(0, 1, logSigma));
  for (let i = 0; i < xs.length; i++) {
    total = add(total, gaussianScore(add(mul(slope, xs[i]), intercept), sigma, ys[i]));
  }
  return total;
}

export function scalars(): void {
  const leaves = [input(), input(), input()];
  const density = logDensity(leaves[0], leaves[1], leaves[2]);
  const plan = compilePlan([density, ...gradient(density, leaves)], leaves);
  const point = [1, 0, -1];
  let t = 0;
  const replay = report(
    'regression of 20 points: replay of density and gradient',
    best(() => {
      point[0] = 1 + (t++ % 7) / 10;
      plan.run(point);
    }),
  );
  timeBar('log-density and gradient of 20 points, replayed', replay, 0.003);
  const record = (): Node[] => {
    const params = [scalar(1 + (t++ % 7) / 10), scalar(0), scalar(-1)];
    const value = logDensity(params[0], params[1], params[2]);
    return [value, ...gradient(value, params)];
  };
  report(
    'the same, recorded anew (graph and gradient, no values)',
    best(() => {
      record();
    }),
  );
  const anew = report(
    'the same, recorded anew and evaluated',
    best(() => {
      evaluate(record());
    }),
  );
  timeBar('the same, recorded anew and evaluated', anew, 0.1);
  const a = scalar(1.5);
  let chain: Node = a;
  const node = report(
    'recording one node (mean over a chain of 1000 additions)',
    best(() => {
      chain = a;
      for (let i = 0; i < 1000; i++) chain = add(chain, a);
    }) / 1000,
  );
  timeBar('recording one node', node, 0.0005);
}
