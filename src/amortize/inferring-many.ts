/** Inference with a trained network for several data, one result for each, run as one: samples of all data side by side. */
import { ordered } from '../inference/alike-data.ts';
import { Collected, type Executions, executeRange } from '../inference/sampling/column-sampling.ts';
import { datumOfEach } from '../lanes/columns/data.ts';
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { keysOfInferences } from '../lanes/columns/streams.ts';
import { explain } from '../lanes/obstacles.ts';
import { sharedOut } from '../ranks/divided.ts';
import { Entry } from '../runtime/execution.ts';
import { Reason } from '../runtime/reasons.ts';
import type { Share } from '../runtime/team.ts';
import type { AmortizedPosterior } from './front.ts';
import { ALONE, type Asked, add, defends, type Found, lastOf, posteriorOf, type Seen } from './inferring.ts';
import { Proposer } from './proposer.ts';
import { ColumnProposing } from './proposing.ts';
import type { Reading } from './reading.ts';
import { Readings } from './readings.ts';
import type { Sites } from './sites.ts';

/** Executions that run side by side at a time, of whole data: what a choice finds in the data is kept for each of them. */
const AT_ONCE = 4096;

/** What was inferred of a datum. */
interface Inferred {
  readonly found: Found;
  readonly seen: Seen;
}

/** What is inferred of each datum. */
interface Task {
  readonly sites: Sites;
  readonly model: (data: unknown) => unknown;
  readonly list: readonly unknown[];
  readonly read: (data: unknown) => Reading;
  readonly asked: Asked & { readonly method: 'importance' | 'forward' };
}

/** The posteriors of all data, each with the random numbers of an inference of its own; null if they have to be inferred one by one. */
export function inferTogether(task: Task): AmortizedPosterior<unknown>[] | null {
  const { list, asked } = task;
  const { samples, method } = asked;
  const entry = new Entry();
  // (One datum at a time may well be side by side where all are not.)
  const place = { address: entry.address.at(`all data of ${entry.address.key}`) };
  const most = Math.max(1, Math.floor(AT_ONCE / samples));
  const infer = ({ first, count }: Share): Inferred[] => {
    const found: Inferred[] = [];
    for (const alike of ordered(list.slice(first, first + count))) {
      for (let k = 0; k < alike.length; k += most) {
        const group = alike.slice(k, k + most).map((i) => first + i);
        inferSome(entry, task, group, (index, one) => {
          found[index - first] = one;
        });
      }
    }
    return found;
  };
  const inferred = sharedOut<Inferred[] | null>(
    'infer with a network',
    list.length,
    (share) => {
      const result = obstacle(place, share.count * samples) ?? attempt(place, () => infer(share), false, ALONE);
      return result instanceof Reason ? null : result;
    },
    (parts) => (parts.includes(null) ? null : parts.flatMap((part) => part!)),
  );
  if (inferred === null) {
    entry.withdraw();
    return null;
  }
  entry.alsoFor(list.length - 1);
  explain(entry, `Amortize (${method})`, 'columns', `${list.length} data with ${samples} executions each side by side`);
  return inferred.map(({ found, seen }) => posteriorOf(found, samples, method !== 'forward', seen));
}

/** The results for these data; `put` stores each under the number of its datum. */
function inferSome(
  entry: Entry,
  { sites, model, list, read, asked }: Task,
  group: readonly number[],
  put: (index: number, inferred: Inferred) => void,
): void {
  const { samples, method } = asked;
  const readings = new Readings(group.map((index) => read(list[index])));
  const data = group.map((index) => list[index]);
  const proposers: Proposer[] = [];
  const members: Int32Array[] = [];
  const placesOf = (numbers: Int32Array): Int32Array => numbers.map((n) => Math.floor(n / samples));
  const executions: Executions<unknown> = {
    model: (numbers) => {
      const places = placesOf(numbers);
      return () => model(datumOfEach(data, places));
    },
    keys: (numbers) =>
      keysOfInferences(
        entry,
        numbers.map((n) => group[Math.floor(n / samples)]),
        numbers.map((n) => n % samples),
      ),
  };
  const entries = group.map((index) => entry.inference(index));
  const isPrior = (n: number): boolean =>
    method !== 'forward' && defends(entries[Math.floor(n / samples)], n % samples);
  const handlerFor = (size: number, numbers: Int32Array): ColumnProposing => {
    const prior = Uint8Array.from(numbers, (n) => (isPrior(n) ? 1 : 0));
    const proposer = new Proposer(sites, readings.among(placesOf(numbers)), size, prior);
    proposers.push(proposer);
    members.push(numbers);
    return new ColumnProposing(`Amortize (${method})`, proposer, entry.address, size, method !== 'forward');
  };
  const collected = new Collected<unknown>({ first: 0, count: group.length * samples });
  executeRange(entry, executions, 0, group.length * samples, handlerFor, collected);
  const lasting = lastOf(members).map((c) => proposers[c]);
  const { values, ended, factorScores } = collected.result;
  group.forEach((index, k) => {
    const own: Found = { values: [], logWeights: [], lanes: [] };
    for (let i = 0; i < samples; i++) {
      const n = k * samples + i;
      const weight = factorScores?.[n] ?? 0;
      if (ended[n] === 1 && weight !== -Infinity) add(own, i, values[n], weight);
    }
    const total = (of: (proposer: Proposer) => Int32Array): number => lasting.reduce((sum, one) => sum + of(one)[k], 0);
    const unknownData = readings.all[k].unknown;
    const seen = { unseen: total(({ unseen }) => unseen), choices: total(({ choices }) => choices), unknownData };
    put(index, { found: own, seen });
  });
}
