/** A mixture of Gaussians over 100 points as lanes, recorded anew in every step: what a program without a compiled step pays. */
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import {
  add,
  div,
  exp,
  gather,
  log,
  logSoftmax,
  matmul,
  mul,
  square,
  sub,
  sum,
  sumLanes,
  tanh,
} from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { best, report } from './measure.ts';

const POINTS = 100;
const COMPONENTS = 3;
const HIDDEN = 10;

const space = new LaneSpace(POINTS);
const data = Float64Array.from({ length: POINTS }, (_, i) => Math.sin(3 * i) + (i % 3));
const choices = Float64Array.from({ length: POINTS }, (_, i) => i % 3);

function values(...shape: number[]): Node {
  const size = shape.reduce((m, n) => m * n, 1);
  return constant(
    Float64Array.from({ length: size }, (_, i) => Math.cos(i + size)),
    shape,
  );
}

const shapes = [[COMPONENTS], [COMPONENTS], [1, HIDDEN], [HIDDEN], [HIDDEN, COMPONENTS], [COMPONENTS]];

function step(params = shapes.map((shape) => values(...shape))): Node[] {
  const [mu, logSigma, w1, b1, w2, b2] = params;
  const x = constant(data, [], space);
  const z = constant(choices, [], space);
  const hidden = tanh(add(matmul(mul(x, constant(Float64Array.of(1), [1])), w1), b1));
  const guide = gather(logSoftmax(add(matmul(hidden, w2), b2)), z);
  const sigma = exp(gather(logSigma, z));
  const standard = div(sub(x, gather(mu, z)), sigma);
  const score = sub(sub(mul(-0.5, square(standard)), log(sigma)), 0.9189385332046727);
  const prior = mul(-0.5, add(sum(square(mu)), sum(square(logSigma))));
  const objective = add(sumLanes(sub(score, guide)), prior);
  return [objective, ...gradient(objective, params)];
}

export function recorded(): void {
  report(
    'amortised mixture, 100 points: recording value and gradient',
    best(() => {
      step();
    }),
  );
  report(
    'the same, recorded and evaluated',
    best(() => {
      evaluate(step());
    }),
  );
  const leaves = shapes.map((shape) => input(shape));
  const plan = compilePlan(step(leaves), leaves);
  const point = shapes.map((shape) => values(...shape).elements());
  report(
    'the same, replayed',
    best(() => {
      plan.run(point);
    }),
  );
}
