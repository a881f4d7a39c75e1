/**
 * One training step of a variational autoencoder (784-500-20-500-784, 100 images, Adam, float32), written directly in
 * the engine's operations: an image per lane, weights shared by all lanes.
 */
import { allowBlas } from '../../src/tensor/devices.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, exp, matmul, mul, softplus, square, sub, sum, sumLanes, tanh } from '../../src/tensor/ops.ts';
import { adam, FlatOptimiser } from '../../src/tensor/optimisers.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { type ResidentBuffer, residentBuffer } from '../../src/tensor/wasm/resident.ts';
import { best, report } from './measure.ts';

const BATCH = 100;
const PIXELS = 784;
const HIDDEN = 500;
const LATENT = 20;

const shapes: number[][] = [
  [PIXELS, HIDDEN],
  [HIDDEN],
  [HIDDEN, LATENT],
  [LATENT],
  [HIDDEN, LATENT],
  [LATENT],
  [LATENT, HIDDEN],
  [HIDDEN],
  [HIDDEN, PIXELS],
  [PIXELS],
];

function negativeElbo(x: Node, noise: Node, w: readonly Node[]): Node {
  const hidden = tanh(add(matmul(x, w[0]), w[1]));
  const mu = add(matmul(hidden, w[2]), w[3]);
  const logVariance = add(matmul(hidden, w[4]), w[5]);
  const z = add(mu, mul(exp(mul(0.5, logVariance)), noise));
  const decoded = tanh(add(matmul(z, w[6]), w[7]));
  const logits = add(matmul(decoded, w[8]), w[9]);
  const likelihood = sum(sub(mul(x, logits), softplus(logits)));
  const divergence = mul(-0.5, sum(sub(sub(add(1, logVariance), square(mu)), exp(logVariance))));
  return mul(1 / BATCH, sumLanes(sub(divergence, likelihood)));
}

export function vae(): void {
  const sizes = shapes.map((shape) => shape.reduce((m, n) => m * n, 1));
  const total = sizes.reduce((m, n) => m + n, 0);
  const parameters = residentBuffer(total, 'f32');
  const gradients = residentBuffer(total, 'f32');
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) | 0;
    return (seed >>> 8) / 16777216;
  };
  const view = parameters.view();
  for (let i = 0; i < total; i++) view[i] = 0.05 * (random() - 0.5);
  const space = new LaneSpace(BATCH);
  const x = input([PIXELS], 'f32', space);
  const noise = input([LATENT], 'f32', space);
  const parts = (buffer: ResidentBuffer): ResidentBuffer[] => {
    let start = 0;
    return sizes.map((size) => {
      start += size;
      return buffer.part(start - size, size);
    });
  };
  const weights = parts(parameters).map((part, i) => part.node(shapes[i]));
  const loss = negativeElbo(x, noise, weights);
  const plan = compilePlan([loss, ...gradient(loss, weights)], [x, noise]);
  parts(gradients).forEach((part, i) => {
    plan.into(i + 1, part);
  });
  const optimiser = new FlatOptimiser(adam(), parameters, gradients);
  const images = Float32Array.from({ length: BATCH * PIXELS }, () => (random() < 0.2 ? 1 : 0));
  const noises = Float32Array.from({ length: BATCH * LATENT }, () => random() + random() + random() - 1.5);
  const step = (): number => {
    const [value] = plan.run([images, noises]);
    optimiser.update();
    return value as number;
  };
  allowBlas(false);
  const first = step();
  report('VAE training step in WebAssembly', best(step));
  console.log(`loss ${first.toFixed(2)} → ${step().toFixed(2)}`);
  report(
    'of which Adam over 800,000 weights',
    best(() => optimiser.update(0)),
  );
  allowBlas(true);
  const again = compilePlan([loss, ...gradient(loss, weights)], [x, noise]);
  parts(gradients).forEach((part, i) => {
    again.into(i + 1, part);
  });
  report(
    'VAE training step with the BLAS of the system',
    best(() => {
      again.run([images, noises]);
      optimiser.update();
    }),
  );
}
