/**
 * Learning from data that are there: executions that the network proposes for a datum are weighed against its posterior, and the
 * network learns from them by their weights (the wake phase of reweighted wake-sleep, Bornschein & Bengio 2015).
 */
import { machine } from '../runtime/machine.ts';
import type { Learned } from './amortized.ts';
import { at, tokensOf } from './data-shape.ts';
import type { AnyModel, Dreams } from './dreams.ts';
import { Network } from './forward.ts';
import { GuidedInference, lastOf } from './inferring.ts';
import { Parameters as Numbers } from './parameters.ts';
import { Reading } from './reading.ts';
import { Recorder } from './recorder.ts';
import { Trainer } from './trainer.ts';

const CLIP = 10;
/** Steps in which the step size rises. */
const RISE = 10;

/** Parameters as they are on average: samples are few, and each step follows theirs. */
class Mean {
  private readonly sums: Map<string, Float64Array>;
  private count = 0;

  constructor(private readonly parameters: Numbers) {
    this.sums = new Map(parameters.names.map((name) => [name, new Float64Array(parameters.get(name).length)]));
  }

  add(): void {
    this.count++;
    for (const [name, sum] of this.sums) {
      const numbers = this.parameters.get(name);
      for (let i = 0; i < sum.length; i++) sum[i] += numbers[i];
    }
  }

  /** Lets the parameters be their means. */
  put(): void {
    for (const [name, sum] of this.sums) {
      const numbers = this.parameters.get(name);
      for (let i = 0; i < sum.length; i++) numbers[i] = sum[i] / this.count;
    }
  }
}

/** Executions that the network proposes for a datum, with the inference that they come from. */
interface Proposed {
  readonly dreams: Dreams;
  readonly inference: GuidedInference;
}

/** Executions for one datum, with the weights that they have in its posterior. */
export const wakes = (...given: Parameters<typeof proposed>): Dreams => proposed(...given).dreams;

export function proposed(
  model: AnyModel,
  { sites, shape }: Learned,
  network: Network,
  data: unknown,
  samples: number,
): Proposed {
  const reading = new Reading(network.refresh(), shape, data);
  const inference = new GuidedInference(sites, reading, () => model(data), false);
  const recorders: { readonly recorder: Recorder; readonly indices: Int32Array }[] = [];
  const found = inference.executions('importance', samples, (indices) => {
    const recorder = new Recorder(sites, inference.entry.address);
    recorders.push({ recorder, indices });
    return recorder;
  });
  const logWeights = new Float64Array(samples).fill(-Infinity);
  found.lanes.forEach((lane, i) => {
    logWeights[lane] = found.logWeights[i];
  });
  const lasting = lastOf(recorders.map(({ indices }) => indices)).map((r) => recorders[r]);
  const choices = lasting.flatMap(({ recorder, indices }) => {
    for (const { lanes } of recorder.choices) for (let i = 0; i < lanes.length; i++) lanes[i] = indices[lanes[i]];
    return recorder.choices;
  });
  const tokens = tokensOf(data, shape.points);
  const lanes = Int32Array.from({ length: samples }, (_, i) => i);
  const values: unknown[] = [];
  found.lanes.forEach((lane, i) => {
    values[lane] = found.values[i];
  });
  const dreams: Dreams = {
    size: samples,
    choices,
    logWeights,
    forms: [{ lanes, tokens, leaves: (place) => new Array(samples).fill(at(data, place)), data: () => data }],
    values,
  };
  return { dreams, inference };
}

/** A network that has gone on learning for these data. */
export function refined(
  model: AnyModel,
  learned: Learned,
  data: readonly unknown[],
  { steps, samples, stepSize }: { steps: number; samples: number; stepSize: number },
): Learned {
  const parameters = new Numbers(machine.stream.named('network'));
  for (const [name, { dims, data: numbers }] of learned.parameters.table) {
    const zeros = (): Float64Array => new Float64Array(numbers.length);
    parameters.put(name, { dims, data: Float64Array.from(numbers), mean: zeros(), square: zeros() });
  }
  const copy: Learned = { ...learned, parameters };
  const trainer = new Trainer(parameters, learned.sizes, learned.sites, learned.shape);
  const network = new Network(parameters, learned.sizes);
  const mean = new Mean(parameters);
  for (let step = 0; step < steps; step++) {
    const pace = stepSize * Math.min(1, (step + 1) / RISE) * (1 - (0.9 * step) / steps);
    trainer.step(wakes(model, copy, network, data[step % data.length], samples), pace, CLIP);
    if (step >= steps / 2) mean.add();
  }
  mean.put();
  parameters.steps = learned.parameters.steps + steps;
  return copy;
}
