/**
 * The sleep phase of the wake–sleep algorithm (Hinton, Dayan, Frey & Neal 1995): the model makes up data together with
 * the choices behind them, and the guides of those choices learn to infer them from the data.
 */

import type { Model } from '../inference/algorithm.ts';
import { count, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Entry } from '../runtime/execution.ts';
import type { DataGiven, DataPass } from '../runtime/handler.ts';
import { runsDirectly } from '../runtime/machine.ts';
import { type Dream, dreamOnce } from './dreaming.ts';
import type { Estimator } from './estimator.ts';
import { guideLikelihood } from './guide-likelihood.ts';
import { GuideScore } from './guide-score.ts';
import { LeafTable } from './leaves.ts';

export interface DreamOptions {
  /** Dreams per step. */
  samples: number;
}

export const dream: Estimator<DreamOptions> = {
  objective: 'log q',
  larger: true,

  options: { samples: withDefault(count(1), 1) },

  start(model, entry, { samples }) {
    return (step) => {
      const stream = entry.streamOf(step);
      const occurrence = stream.occurrence();
      const leaves = new LeafTable();
      const scored = Array.from({ length: samples }, (_, k) => {
        const own = stream.child(occurrence, k);
        const handler = new ScoredDream(leaves, dreamOnce(model, entry, own));
        entry.execute(handler, model, own.again());
        return handler;
      });
      const { logGuide, gradients } = guideLikelihood(leaves, scored, step);
      // What only guides outside mapData need is met too, and is none of its business.
      const own = [...gradients].filter(([, gradient]) => gradient.some((g) => g !== 0));
      return { objective: logGuide, gradients: new Map(own) };
    };
  },
};

/** The second half: the program runs with the dream for its data, and its guides are asked about the choices in it. */
class ScoredDream extends GuideScore {
  constructor(
    leaves: LeafTable,
    private readonly dream: Dream,
  ) {
    super(leaves, dream.values, (address) => dream.local.has(address));
  }

  override mapData(length: number, batchSize: number | undefined, address: Address, given: DataGiven): DataPass {
    const scoring = super.mapData(length, batchSize, address, given);
    const pass = this.dream.passes.get(address);
    if (pass === undefined) return scoring;
    let place = 0;
    return { ...scoring, indices: pass.indices, datum: () => pass.data[place++].value };
  }
}

/** One dream of a model: its choices by address, and the data it made up (of each `mapData`, if there are several). */
export function dreamSampleOf(model: Model<unknown>): { trace: Record<string, unknown>; data: unknown } {
  if (!runsDirectly()) throw new WaymarkError('dreamSample must be called outside models.');
  const entry = new Entry();
  const { values, outermost } = dreamOnce(model, entry, entry.streamOf(0));
  const data = outermost.map((pass) => pass.data.map((datum) => datum.value));
  return {
    trace: Object.fromEntries([...values].map(([address, value]) => [address.relativeTo(entry.address), value])),
    data: data.length === 1 ? data[0] : data,
  };
}
