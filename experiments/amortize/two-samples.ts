// The classifier two-sample test: how well a network tells draws of a posterior from reference draws. 0.5 means not at all.
import { Bernoulli, mapData, nn, nneval, Optimize, observe, T, type Tensor, Vector } from 'waymark';

/** A draw: a number for each parameter. */
export type Draw = readonly number[];

interface Labelled {
  readonly x: Tensor;
  readonly isReference: boolean;
}

const FOLDS = 5;
const BATCH = 200;
const STEP_SIZE = 0.001;

/** Accuracy of a network with two layers of 10 d units, by cross-validation; coordinates have the reference's mean and spread. */
export function twoSampleTest(
  draws: readonly Draw[],
  reference: readonly Draw[],
  epochs: number,
  name: string,
): number {
  const dims = reference[0].length;
  const scales = Array.from({ length: dims }, (_, k) => scaleOf(reference.map((draw) => draw[k])));
  const labelled = (all: readonly Draw[], isReference: boolean): Labelled[] =>
    all.map((draw) => ({ x: Vector(draw.map((value, k) => (value - scales[k].mean) / scales[k].sd)), isReference }));
  const [ours, theirs] = [labelled(draws, false), labelled(reference, true)];
  let right = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const isTest = (_: Labelled, i: number) => i % FOLDS === fold;
    const isTraining = (_: Labelled, i: number) => i % FOLDS !== fold;
    const training = [...ours.filter(isTraining), ...theirs.filter(isTraining)];
    const test = [...ours.filter(isTest), ...theirs.filter(isTest)];
    const probability = classifier(training, dims, epochs, `${name} ${fold}`);
    right += test.filter(({ x, isReference }) => probability(x) > 0.5 === isReference).length;
  }
  return right / (ours.length + theirs.length);
}

/** The probability that a draw is one of the reference's, learned. */
function classifier(training: readonly Labelled[], dims: number, epochs: number, name: string): (x: Tensor) => number {
  const hidden = { nOut: 10 * dims, activation: nn.relu };
  const net = nn.mlp(dims, [hidden, hidden, { nOut: 1, activation: nn.sigmoid }], name);
  const probability = (x: Tensor): number => T.get(nneval(net, x), 0);
  const model = () => {
    mapData({ data: training, batchSize: BATCH }, ({ x, isReference }) => {
      observe(Bernoulli({ p: probability(x) }), isReference);
    });
  };
  const steps = Math.ceil((epochs * training.length) / BATCH);
  Optimize(model, { steps, optMethod: { adam: { stepSize: STEP_SIZE } } });
  return probability;
}

function scaleOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return { mean, sd: Math.sqrt(variance) || 1 };
}
