/** Inferences for the data of a model, one for each datum, run as one: samples of all data side by side. */
import type { Keys } from '../lanes/columns/draws.ts';
import { inKernelMemory } from '../lanes/columns/kernel-memory.ts';
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { keysOfInferences } from '../lanes/columns/streams.ts';
import { explain } from '../lanes/obstacles.ts';
import { Entry } from '../runtime/execution.ts';
import { Reason } from '../runtime/reasons.ts';
import type { Posterior } from './algorithm.ts';
import { ordered } from './alike-data.ts';
import { KeptSamples } from './kept-samples.ts';
import { ColumnParticles } from './particles/column-particles.ts';
import { Filtering } from './particles/filtering.ts';
import { DrawsElsewhere } from './particles/other-ways.ts';
import { SeveralPopulations } from './particles/populations.ts';
import { fromAnyGuide } from './particles/proposals.ts';
import { posterior, progressOf, TIMES_ALONE } from './particles/smc.ts';
import { ColumnGuided } from './sampling/column-forward.ts';
import { type Executions, type Sampled, sampled } from './sampling/column-sampling.ts';
import { forData } from './shared-part.ts';

/** The model, its data, and what there is to be of each. */
export interface DataTask {
  readonly model: () => unknown;
  readonly data: ArrayLike<unknown>;
  /** The data, if they are to be taken in place of the model's own. */
  readonly given: ArrayLike<unknown> | undefined;
  readonly samples: number;
  readonly noData: () => never;
}

/** Particles that run side by side at a time, of whole data: as many as are at home in the processor's cache. */
const AT_ONCE = 8192;

/**
 * Draws samples for all data from guides, each datum's with the random numbers of an inference of its own, one datum after the other;
 * null if that cannot be done, and then no random numbers were used.
 */
export function sampleData<T>(method: 'importance' | 'forward', task: DataTask): Sampled<T>[] | null {
  const { data, samples } = task;
  const count = data.length * samples;
  const order = ordered(data).flat();
  return together(method, task, 1, (entry) => {
    const handlerFor = (size: number): ColumnGuided => new ColumnGuided(size, method, method === 'importance');
    const all = sampled(entry, executionsFor<T>(entry, task, order), { first: 0, count }, handlerFor);
    return inOrder(order, partsOf(all, samples));
  });
}

/** The same by sequential Monte Carlo, with resampling of each datum's particles for themselves. */
export function filterData<T>(task: DataTask): Posterior<T>[] | null {
  const { data, samples } = task;
  const most = Math.max(1, Math.floor(AT_ONCE / samples));
  const groups = ordered(data).flatMap((alike) => chunks(alike, most));
  return together('SMC', task, TIMES_ALONE, (entry) =>
    inOrder(
      groups.flat(),
      groups.flatMap((group) => filterSome<T>(entry, task, group)),
    ),
  );
}

/** The posteriors of these data. Whether the program draws besides its choices is found out while it runs. */
function filterSome<T>(entry: Entry, task: DataTask, group: readonly number[]): Posterior<T>[] {
  for (let drawsElsewhere = false; ; drawsElsewhere = true) {
    try {
      return filterAtOnce(entry, task, group, drawsElsewhere);
    } catch (thrown) {
      if (!(thrown instanceof DrawsElsewhere)) throw thrown;
    }
  }
}

function filterAtOnce<T>(
  entry: Entry,
  { model, given, samples, noData }: DataTask,
  group: readonly number[],
  drawsElsewhere: boolean,
): Posterior<T>[] {
  const size = group.length * samples;
  const filterings = group.map((index) => new Filtering(samples, entry.inference(index).streamOf(0)));
  const populations = new SeveralPopulations(filterings, samples);
  const progress = progressOf(size);
  const particles = new ColumnParticles(size, populations, fromAnyGuide(), progress, drawsElsewhere);
  const indices = Int32Array.from({ length: size }, (_, slot) => group[Math.floor(slot / samples)]);
  const body = forData(model, indices, given, noData) as () => T;
  const keysOf = (numbers: Int32Array): Keys => keysOfInferences(entry, indices, numbers);
  const { values, scores } = (() => {
    try {
      return inKernelMemory(() => particles.run(entry, body, keysOf, samples));
    } finally {
      progress.finish();
    }
  })();
  return filterings.map((filtering, k) => {
    const kept = new KeptSamples<T>([], false);
    const [from, to] = [k * samples, (k + 1) * samples];
    kept.addAll((values as T[]).slice(from, to), scores.slice(from, to));
    kept.finish();
    return posterior(kept, filtering, particles.guidance.isUsed(k));
  });
}

/** Runs the inferences of all data as one, if that can be done. */
function together<R>(
  method: string,
  { data: { length }, samples }: DataTask,
  /** How often one execution alone does everything. */
  times: number,
  infer: (entry: Entry) => R,
): R | null {
  const entry = new Entry();
  // (One datum at a time may well be side by side where all are not.)
  const place = { address: entry.address.at(`all data of ${entry.address.key}`) };
  const result = obstacle(place, length * samples) ?? attempt(place, () => infer(entry), false, times);
  if (result instanceof Reason) {
    entry.withdraw();
    return null;
  }
  entry.alsoFor(length - 1);
  const what = method === 'SMC' ? 'particles' : 'executions';
  explain(entry, method, 'columns', `${length} data with ${samples} ${what} each side by side`);
  return result;
}

/** Execution n is that of sample n mod `samples` of the datum at n / `samples` in the order. */
function executionsFor<T>(
  entry: Entry,
  { model, given, samples, noData }: DataTask,
  order: readonly number[],
): Executions<T> {
  const dataOf = (numbers: Int32Array): Int32Array => numbers.map((n) => order[Math.floor(n / samples)]);
  const samplesOf = (numbers: Int32Array): Int32Array => numbers.map((n) => n % samples);
  return {
    model: (numbers) => forData(model, dataOf(numbers), given, noData) as () => T,
    keys: (numbers) => keysOfInferences(entry, dataOf(numbers), samplesOf(numbers)),
  };
}

/** The samples of each datum, out of those of all. */
function partsOf<T>(all: Sampled<T>, samples: number): Sampled<T>[] {
  const { values, ended, choiceScores, factorScores } = all;
  return Array.from({ length: ended.length / samples }, (_, i) => {
    const [from, to] = [i * samples, (i + 1) * samples];
    return {
      values: (values as T[]).slice(from, to),
      ended: ended.slice(from, to),
      choiceScores: choiceScores.slice(from, to),
      factorScores: factorScores?.slice(from, to) ?? null,
    };
  });
}

/** Results that came in this order, by the index of the datum. */
function inOrder<R>(order: readonly number[], results: readonly R[]): R[] {
  const sorted = new Array<R>(results.length);
  order.forEach((index, k) => {
    sorted[index] = results[k];
  });
  return sorted;
}

function chunks(list: readonly number[], most: number): number[][] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, k) => list.slice(k * most, (k + 1) * most));
}
