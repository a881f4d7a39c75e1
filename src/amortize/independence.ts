/** Markov chains whose steps are, by turns, whole executions that a network proposes, and changes of single choices. */
import { givenGuide } from '../guides/guide-of.ts';
import { Chain } from '../inference/chains/chain.ts';
import { MetropolisHastings } from '../inference/chains/mh.ts';
import { infiniteFactor } from '../inference/chains/reexecution.ts';
import type { Trace } from '../inference/chains/trace.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandon, abandoned, type Entry } from '../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { Proposer } from './proposer.ts';
import { logWeight } from './proposing.ts';

/** Executes with choices that a network proposes, and keeps them in a trace. */
class Tracing implements Handler {
  readonly name = 'Amortize (MCMC)';
  readonly guided = true;
  readonly synthesises = true;
  readonly usesAddresses = true;
  /** Log of the prior over their own guides, for choices that have one. */
  own = 0;

  constructor(
    private readonly into: Trace<unknown>,
    private readonly proposer: Proposer,
    private readonly base: Address,
  ) {}

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const unique = address.choice(machine.execution);
    let own: V | undefined;
    if (options?.guide !== undefined) {
      const guide = givenGuide(null, options.guide, address);
      own = guide.draw(machine.stream.begin());
      this.own += target.score(own) - guide.score(own);
    }
    const value = chosen(
      this.proposer,
      this.base,
      unique,
      target as Distribution<unknown>,
      own,
      own !== undefined,
    ) as V;
    const score = target.score(value);
    if (score === -Infinity) throw abandon;
    this.into.add(unique, target as Distribution<unknown>, options as SampleOptions<unknown>, value, score);
    return value;
  }

  /** A trace does not keep the choices that a guide makes, and without them the density of the guide is not known. */
  auxiliary(): never {
    throw new WaymarkError(
      'Amortize (MCMC): a guide draws a choice of its own, whose values cannot all be tried, so that it is not known how probable the guide ' +
        "makes a value. Use method: 'importance' or 'SMC', or have the guide choose among at most 16 values.",
    );
  }

  factor(score: number): void {
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw infiniteFactor();
    this.into.factorScore += score;
    this.into.factors++;
  }
}

/** Makes a choice by a proposer: draws it, or weighs a value that is given. */
function chosen(
  proposer: Proposer,
  base: Address,
  address: Address,
  target: Distribution<unknown>,
  given: unknown,
  hasGuide: boolean,
): unknown {
  const { numbers, list } = proposer.choose({
    address,
    base,
    slots: FIRST,
    target,
    uniforms: () => [machine.stream.begin().uniform()],
    normals: () => [machine.stream.begin().gaussian()],
    draw: () => [target.draw(machine.stream.begin())],
    given: given === undefined ? undefined : [given],
    hasGuide,
  });
  return numbers === null ? list![0] : numbers[0];
}

const FIRST: readonly number[] = [0];

/** Executions that are tried before a chain is given up. */
const ATTEMPTS = 1000;

interface ChainOutcome {
  readonly values: unknown[];
  readonly scores: number[];
  /** Shares of proposals that were accepted. */
  readonly acceptance: number;
  readonly localAcceptance: number;
}

export class IndependenceChain {
  private readonly chain: Chain<unknown>;
  private readonly local: MetropolisHastings<unknown>;
  /** The log-weight of the current trace under the network; null if it has changed since. */
  private weight: number | null = null;
  private executions = 0;
  proposers: Proposer[] = [];

  constructor(
    private readonly entry: Entry,
    private readonly model: () => unknown,
    private readonly proposerFor: () => Proposer,
  ) {
    const origin = entry.streamOf(1);
    this.chain = new Chain(entry, model, entry.streamOf(0), (k) => origin.restart(k + 1));
    this.local = new MetropolisHastings(this.chain, { permissive: false, discreteOnly: false });
  }

  run(samples: number, burn: number, lag: number): ChainOutcome {
    for (let attempt = 0; this.weight === null; attempt++) {
      if (attempt === ATTEMPTS) throw noStart();
      const weight = this.propose();
      if (weight === null) continue;
      this.chain.accept();
      this.weight = weight;
    }
    const [values, scores]: [unknown[], number[]] = [[], []];
    let [accepted, moved, steps] = [0, 0, 0];
    for (let kept = -burn; kept < samples; kept++) {
      for (let k = 0; k <= lag; k++) {
        steps++;
        if (this.independent()) accepted++;
        if (this.local.step()) {
          moved++;
          this.weight = null;
        }
      }
      if (kept < 0) continue;
      const { value, score } = this.local.sample() ?? this.chain.current;
      values.push(value);
      scores.push(score);
    }
    return { values, scores, acceptance: accepted / steps, localAcceptance: moved / steps };
  }

  /** Proposes a whole execution; true if the chain moved there. */
  private independent(): boolean {
    const { chain } = this;
    const proposed = this.propose();
    if (proposed === null) return false;
    this.weight ??= this.weigh(chain.current);
    if (!(Math.log(chain.random.begin().uniform()) < proposed - this.weight)) return false;
    chain.accept();
    this.weight = proposed;
    return true;
  }

  /** Fills the candidate; gives its log-weight, or null if it turned out impossible. */
  private propose(): number | null {
    const { chain, entry, model } = this;
    const { candidate } = chain;
    const proposer = this.proposer();
    candidate.clear();
    const handler = new Tracing(candidate, proposer, entry.address);
    const stream = entry.streamOf(2).child(++this.executions, 0);
    const value = entry.execute(handler, model, stream);
    if (value === abandoned) return null;
    candidate.value = value;
    candidate.finished = true;
    const weight = candidate.factorScore + handler.own + logWeight(proposer.ratios[0]);
    return weight === -Infinity ? null : weight;
  }

  /** The log-weight of a trace. The network is asked at each of its choices. */
  private weigh(trace: Trace<unknown>): number {
    const proposer = this.proposer();
    let own = 0;
    for (let i = 0; i < trace.length; i++) {
      const { address, distribution, options, value, score } = trace.choices[i];
      const hasGuide = options?.guide !== undefined;
      if (hasGuide) own += score - givenGuide(null, options!.guide!, address).score(value);
      chosen(proposer, this.entry.address, address, distribution, value, hasGuide);
    }
    return trace.factorScore + own + logWeight(proposer.ratios[0]);
  }

  private proposer(): Proposer {
    const proposer = this.proposerFor();
    this.proposers = [proposer];
    return proposer;
  }
}

function noStart(): WaymarkError {
  return new WaymarkError(
    `Amortize (MCMC): none of ${ATTEMPTS} executions is possible with these data, so that there is none to start from. ` +
      'See whether the data are of the kind that the model makes up.',
  );
}
