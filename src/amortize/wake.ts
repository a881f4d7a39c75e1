/**
 * Learning from real data by their posteriors: executions that the network proposes for a datum are weighted by
 * their posterior, and the network learns from them by these weights (the wake phase of reweighted wake-sleep,
 * Bornschein & Bengio 2015).
 */
import { machine } from '../runtime/machine.ts';
import type { Share } from '../runtime/team.ts';
import type { Learned } from './amortized.ts';
import { at, type TokenPlaces, tokensOf } from './data-shape.ts';
import type { AnyModel, Dreams } from './dreams.ts';
import { GuidedInference, lastOf } from './inferring.ts';
import { Network } from './network.ts';
import { Parameters as Numbers } from './parameters.ts';
import { Reading } from './reading.ts';
import { Recorder } from './recorder.ts';
import { ownDreams } from './shared-dreams.ts';
import type { Sites } from './sites.ts';
import { tempered } from './tempering.ts';
import { Trainer } from './trainer.ts';

const CLIP = 10;
/** Steps in which the step size rises. */
const RISE = 10;

/** Running means of the parameters: single steps follow few samples, and scatter. */
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

  /** Replaces the parameters by their means. */
  put(): void {
    for (const [name, sum] of this.sums) {
      const numbers = this.parameters.get(name);
      for (let i = 0; i < sum.length; i++) numbers[i] = sum[i] / this.count;
    }
  }
}

/** Executions for one datum, of several ranks those of this one, with the weights that they have in its posterior. */
export function wakes(
  model: AnyModel,
  { sites, shape }: Learned,
  network: Network,
  data: unknown,
  samples: number,
): Dreams {
  const reading = new Reading(network.refresh(), shape, data);
  const inference = new GuidedInference(sites, reading, () => model(data), false);
  const tokens = tokensOf(data, shape.points);
  return ownDreams(sites, samples, true, (share) => proposed(inference, sites, share, data, tokens));
}

/** Executions that the network proposes for a datum. */
function proposed(
  inference: GuidedInference,
  sites: Sites,
  share: Share,
  data: unknown,
  tokens: readonly TokenPlaces[],
): Dreams {
  const { first, count } = share;
  const recorders: { readonly recorder: Recorder; readonly indices: Int32Array }[] = [];
  const found = inference.executions('importance', share, (indices) => {
    const recorder = new Recorder(sites, inference.entry.address);
    recorders.push({ recorder, indices });
    return recorder;
  });
  const logWeights = new Float64Array(count).fill(-Infinity);
  const values: unknown[] = [];
  found.lanes.forEach((lane, i) => {
    logWeights[lane - first] = found.logWeights[i];
    values[lane - first] = found.values[i];
  });
  const lasting = lastOf(recorders.map(({ indices }) => indices)).map((r) => recorders[r]);
  const choices = lasting.flatMap(({ recorder, indices }) => {
    for (const { lanes } of recorder.choices) {
      for (let i = 0; i < lanes.length; i++) lanes[i] = indices[lanes[i]] - first;
    }
    return recorder.choices;
  });
  const lanes = Int32Array.from({ length: count }, (_, i) => i);
  return {
    size: count,
    choices,
    logWeights,
    forms: [{ lanes, tokens, leaves: (place) => new Array(count).fill(at(data, place)), data: () => data }],
    values,
    ratios: inference.hasRejected ? undefined : inference.guideRatios(share),
  };
}

/** A network that was trained further for these data. */
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
    trainer.step(tempered(wakes(model, copy, network, data[step % data.length], samples)), pace, CLIP);
    if (step >= steps / 2) mean.add();
  }
  mean.put();
  parameters.steps = learned.parameters.steps + steps;
  return copy;
}
