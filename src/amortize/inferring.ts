/** Inference with a trained network: executions that it proposes, weighed, resampled, or as steps of a chain. */
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { diagnosticsOf } from '../inference/chains/chain-diagnostics.ts';
import { importanceDiagnostics } from '../inference/diagnostics/pareto.ts';
import { Collected, executeRange, executionsOf } from '../inference/sampling/column-sampling.ts';
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { explain } from '../lanes/obstacles.ts';
import { sharedOut } from '../ranks/divided.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, Entry } from '../runtime/execution.ts';
import { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Share } from '../runtime/team.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import type { AmortizedPosterior } from './front.ts';
import { IndependenceChain } from './independence.ts';
import { ProposedParticles } from './proposed-particles.ts';
import { Proposer } from './proposer.ts';
import { ColumnProposing, DEFENCE, Proposing } from './proposing.ts';
import type { Reading } from './reading.ts';
import { ReadingsOfEach } from './readings.ts';
import type { Recorder } from './recorder.ts';
import type { Sites } from './sites.ts';

type GuidedMethod = 'importance' | 'forward' | 'SMC' | 'MCMC';

/** The options of an inference. */
export interface Asked {
  readonly method: GuidedMethod;
  readonly samples: number;
  readonly burn: number;
  readonly lag: number;
}

/** Executions that came to their end. */
export interface Found {
  readonly values: unknown[];
  readonly logWeights: number[];
  /** The numbers of the executions. */
  readonly lanes: number[];
}

/** How many choices a network did not know, how many there were, and which data it did not know. */
export type Seen = Readonly<Record<'unseen' | 'choices' | 'unknownData', number>>;

/** The results of one rank, for its share of the executions. */
interface Inferred {
  readonly found: Found;
  readonly seen: Seen;
}

function joined(parts: readonly Inferred[]): Inferred {
  const total = (of: (seen: Seen) => number): number => parts.reduce((sum, { seen }) => sum + of(seen), 0);
  return {
    found: {
      values: parts.flatMap(({ found }) => found.values),
      logWeights: parts.flatMap(({ found }) => found.logWeights),
      lanes: parts.flatMap(({ found }) => found.lanes),
    },
    seen: {
      unseen: total(({ unseen }) => unseen),
      choices: total(({ choices }) => choices),
      unknownData: parts[0].seen.unknownData,
    },
  };
}

/** One inference, of data that have been read. */
export class GuidedInference {
  readonly entry: Entry = new Entry();
  private readonly proposers: Proposer[] = [];
  /** The executions that each proposer is of. */
  private readonly members: ArrayLike<number>[] = [];

  constructor(
    private readonly sites: Sites,
    private readonly reading: Reading,
    private readonly model: () => unknown,
    /** Whether `--explain-batching` tells of it. */
    private readonly isTold = true,
  ) {}

  run({ method, samples, burn, lag }: Asked): AmortizedPosterior<unknown> {
    if (method === 'MCMC') return this.chain(samples, burn, lag);
    const infer = (share: Share): Inferred => ({ found: this.executions(method, share), seen: this.seen });
    const all = { first: 0, count: samples };
    // (Particles are resampled all together.)
    const { found, seen } = method === 'SMC' ? infer(all) : sharedOut('infer with a network', samples, infer, joined);
    return posteriorOf(found, samples, method !== 'forward', seen);
  }

  /** Executions with these numbers, which the network proposes. */
  executions(method: Exclude<GuidedMethod, 'MCMC'>, share: Share, recorderFor: RecorderFor = NO_RECORDER): Found {
    this.forget();
    return this.together(method, share, recorderFor) ?? this.oneByOne(method, share, recorderFor);
  }

  private get seen(): Seen {
    const lasting = lastOf(this.members).map((c) => this.proposers[c]);
    const total = (of: (proposer: Proposer) => number): number => lasting.reduce((sum, one) => sum + of(one), 0);
    return {
      unseen: total(({ unseen }) => unseen[0]),
      choices: total(({ choices }) => choices[0]),
      unknownData: this.reading.unknown,
    };
  }

  /** Of each execution of a share the log of guide over prior; NaN for those that did not draw from the guide. */
  guideRatios({ first, count }: Share): Float64Array {
    const ratios = new Float64Array(count).fill(Number.NaN);
    this.proposers.forEach((proposer, c) => {
      const members = this.members[c];
      for (let i = 0; i < members.length; i++) {
        if (proposer.fromPrior[i] === 0) ratios[members[i] - first] = proposer.ratios[i];
      }
    });
    return ratios;
  }

  /** Whether a loop that rejects was met. */
  get hasRejected(): boolean {
    return this.proposers.some(({ hasRejected }) => hasRejected);
  }

  private proposerFor(indices: ArrayLike<number>, defended: boolean): Proposer {
    const prior = Uint8Array.from(indices, (i) => (defended && defends(this.entry, i) ? 1 : 0));
    const proposer = new Proposer(this.sites, ReadingsOfEach.one(this.reading), indices.length, prior);
    this.proposers.push(proposer);
    this.members.push(indices);
    return proposer;
  }

  private together(method: Exclude<GuidedMethod, 'MCMC'>, share: Share, recorderFor: RecorderFor): Found | null {
    const { entry, model } = this;
    const { first, count: samples } = share;
    const name = `Amortize (${method})`;
    const result =
      obstacle(entry, samples) ??
      attempt(
        entry,
        () => {
          const collected = new Collected<unknown>({ first: 0, count: samples });
          collected.begin(first);
          const groups = executeRange(
            entry,
            executionsOf(entry, model),
            first,
            samples,
            (size, indices) => {
              const proposer = this.proposerFor(indices, method !== 'forward');
              if (method !== 'SMC') {
                return new ColumnProposing(
                  name,
                  proposer,
                  entry.address,
                  size,
                  method !== 'forward',
                  recorderFor(indices),
                );
              }
              const particles = new ProposedParticles(name, proposer, entry.address, size, true);
              particles.random = entry.streamOf(0).named('resampling').begin();
              return particles;
            },
            collected,
          );
          if (method === 'SMC' && groups > 1) throw new OneByOne('courses', 'particles part');
          return collected.result;
        },
        false,
        ALONE,
      );
    if (result instanceof Reason) {
      const without = method === 'SMC' ? ' and without resampling' : '';
      if (this.isTold) explain(entry, name, result, `${samples} executions one by one${without}, because ${result}`);
      return null;
    }
    if (this.isTold) explain(entry, name, 'columns', `${samples} executions side by side`);
    const { values, ended, factorScores } = result;
    const found: Found = { values: [], logWeights: [], lanes: [] };
    for (let i = 0; i < samples; i++) {
      const weight = factorScores?.[i] ?? 0;
      if (ended[i] === 1 && weight !== -Infinity) add(found, first + i, values[i], weight);
    }
    return found;
  }

  private oneByOne(method: Exclude<GuidedMethod, 'MCMC'>, share: Share, recorderFor: RecorderFor): Found {
    const { entry, model } = this;
    const weighs = method !== 'forward';
    const found: Found = { values: [], logWeights: [], lanes: [] };
    this.forget();
    for (let i = share.first; i < share.first + share.count; i++) {
      const proposer = this.proposerFor([i], weighs);
      const recorder = recorderFor(Int32Array.of(i));
      const handler = new Proposing(`Amortize (${method})`, proposer, entry.address, weighs, recorder);
      const value = entry.execute(handler, model, entry.streamOf(i));
      if (value !== abandoned) add(found, i, value, handler.logWeight);
    }
    return found;
  }

  private forget(): void {
    this.proposers.length = 0;
    this.members.length = 0;
  }

  private chain(samples: number, burn: number, lag: number): AmortizedPosterior<unknown> {
    let number = 0;
    const proposer = (): Proposer => {
      this.forget();
      return this.proposerFor([3 + number++], true);
    };
    const chain = new IndependenceChain(this.entry, this.model, proposer);
    const { values, scores, acceptance, localAcceptance } = chain.run(samples, burn, lag);
    const list = values.map((value, i) => ({ value, score: scores[i] }));
    const diagnostics = Object.defineProperties(
      { ess: Number.NaN, khat: Number.NaN, localAcceptance, ...this.seen },
      Object.getOwnPropertyDescriptors(diagnosticsOf([{}], acceptance, list)),
    );
    return new SampleBasedMarginal(list, { diagnostics }) as unknown as AmortizedPosterior<unknown>;
  }
}

/** How much more work an execution alone is here than in other inferences: the network is computed for it alone at each choice. */
export const ALONE = 20;

/**
 * Which groups ran to the end. Executions that part begin again in smaller groups, and what the whole group did
 * before is discarded. `members` are the numbers of the executions of each group, in the order in which the groups
 * began.
 */
export function lastOf(members: readonly ArrayLike<number>[]): number[] {
  const covered = new Set<number>();
  const last: number[] = [];
  for (let g = members.length - 1; g >= 0; g--) {
    if (members[g].length === 0 || covered.has(members[g][0])) continue;
    for (let i = 0; i < members[g].length; i++) covered.add(members[g][i]);
    last.push(g);
  }
  return last.reverse();
}

/** The recorder of what the executions with these numbers choose. */
type RecorderFor = (indices: Int32Array) => Recorder | null;

const NO_RECORDER: RecorderFor = () => null;

export function add(found: Found, lane: number, value: unknown, logWeight: number): void {
  found.values.push(value);
  found.logWeights.push(logWeight);
  found.lanes.push(lane);
}

/** Whether an execution draws from the prior. */
export const defends = (entry: Entry, i: number): boolean =>
  entry.streamOf(i).named('defence').begin().uniform() < DEFENCE;

export function posteriorOf(
  { values, logWeights }: Found,
  samples: number,
  weighs: boolean,
  seen: Seen,
): AmortizedPosterior<unknown> {
  if (values.length === 0) {
    throw new WaymarkError(
      `Amortize: none of ${samples} executions is possible with these data (factors of −Infinity, conditions that do not ` +
        'hold). Raise samples, or see whether the data are of the kind that the model makes up.',
    );
  }
  const list = values.map((value, i) => ({ value, score: logWeights[i] }));
  if (!weighs) {
    const diagnostics = { ess: values.length, khat: Number.NaN, ...seen };
    return new SampleBasedMarginal(list, { diagnostics }) as unknown as AmortizedPosterior<unknown>;
  }
  const impossible = new Array<number>(samples - values.length).fill(-Infinity);
  const { ess, khat } = importanceDiagnostics([...logWeights, ...impossible]);
  return new SampleBasedMarginal(list, {
    weights: logWeights,
    logZ: logSumExp(logWeights) - Math.log(samples),
    diagnostics: { ess, khat, effectiveSampleSize: ess, ...seen },
  }) as unknown as AmortizedPosterior<unknown>;
}
