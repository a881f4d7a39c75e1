/**
 * One training step of a variational autoencoder (784-500-20-500-784, 100 images, Adam, float32), written directly in
 * the engine's operations: an image per lane, weights shared by all lanes.
 */
import { ParameterPack } from '../../src/optimize/parameter-pack.ts';
import { systemBlas } from '../../src/tensor/blas.ts';
import { allowBlas, useThreads } from '../../src/tensor/devices.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, exp, matmul, mul, softplus, square, sub, sum, sumLanes, tanh } from '../../src/tensor/ops.ts';
import { adam } from '../../src/tensor/optimisers.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import type { ResidentBuffer } from '../../src/tensor/wasm/resident.ts';
import { best, ratioBar, report } from './measure.ts';
import { torchStep } from './torch.ts';

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
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) | 0;
    return (seed >>> 8) / 16777216;
  };
  const start = Float32Array.from({ length: total }, () => 0.05 * (random() - 0.5));
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
  const images = Float32Array.from({ length: BATCH * PIXELS }, () => (random() < 0.2 ? 1 : 0));
  const noises = Float32Array.from({ length: BATCH * LATENT }, () => random() + random() + random() - 1.5);
  compare(() => {
    const pack = new ParameterPack('f32', adam(), 0, () => {});
    pack.meet([pack.place(start)]);
    const weights = parts(pack.values).map((part, i) => part.node(shapes[i]));
    const loss = negativeElbo(x, noise, weights);
    const plan = compilePlan([loss, ...gradient(loss, weights)], [x, noise]);
    parts(pack.gradients).forEach((part, i) => {
      plan.into(i + 1, part);
    });
    let steps = 0;
    return () => {
      const [value] = plan.run([images, noises]);
      pack.move(steps++, 0.001, 1);
      return value as number;
    };
  });
}

/** Measures the step on each device, planned anew for it, beside PyTorch on as many threads. */
function compare(planned: () => () => number): void {
  let step = planned();
  const measured = (what: string, blas: boolean, threads: number): number => {
    allowBlas(blas);
    useThreads(threads);
    step = planned();
    return report(`VAE training step ${what}`, best(step));
  };
  const first = step();
  const wasm = measured('in WebAssembly', false, 1);
  console.log(`loss ${first.toFixed(2)} → ${step().toFixed(2)}`);
  const library = systemBlas();
  const blas = library === null ? null : measured(`with ${library.library}`, true, 1);
  const torch = torchStep(1);
  if (torch === null) {
    console.log('PyTorch was not found: install python3-torch, or name a Python that has it in PYTHON.');
  } else {
    report(`the same in PyTorch ${torch.version}`, torch.milliseconds);
    if (blas !== null) ratioBar('VAE step with BLAS / PyTorch', blas / torch.milliseconds, 1);
    const [major] = process.versions.node.split('.').map(Number);
    ratioBar(`VAE step in WebAssembly, Node ${major} / PyTorch`, wasm / torch.milliseconds, major >= 22 ? 1.7 : 2.6);
  }
  measured('in WebAssembly on two threads', false, 2);
  if (library !== null) measured(`with ${library.library} on two threads`, true, 2);
  const wide = torchStep(2);
  if (wide !== null) report('the same in PyTorch on two threads', wide.milliseconds);
  allowBlas(true);
  useThreads(undefined);
}
