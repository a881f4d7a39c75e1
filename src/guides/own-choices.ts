/**
 * Guides that make choices of their own (auxiliary variables). The density of such a guide is a mean over these choices:
 *
 * - A choice of few values is summed out: the guide is run once for each way through such choices, and each run counts as much as its
 *   values are probable. If all choices are so, the density is exact.
 * - Any other choice is drawn, and the whole is done several times (`guideSamples`). The guide is then the mixture of what all runs
 *   returned, and the value of the model's choice is drawn from that of the first: since the runs are alike, this is a draw from the mixture.
 *
 * In both cases a value is drawn from just the mixture that it is scored by, given what the guide chose. So target over guide has the mean that it must
 * have, weights are unbiased, and bounds stay bounds, which become tighter with more runs (semi-implicit guides; Yin & Zhou 2018).
 */
import { fewValues } from '../distributions/of-family.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { during, machine } from '../runtime/machine.ts';
import { withOwnChoices } from '../runtime/refusal.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Value } from '../tensor/node.ts';
import { type Component, guideMixture, plus } from './guide-mixture.ts';

/** The most ways through choices of few values. */
const MOST_WAYS = 16;

/** How often a guide is run that draws choices, where the program does not say. */
const GUIDE_SAMPLES = 10;

/** A choice that a guide has made on the way it is on. */
interface Step {
  readonly value: unknown;
  /** Where all values are tried: the distribution, its values, and which of them it is. */
  readonly tried?: { readonly of: Distribution<unknown>; readonly values: readonly unknown[]; readonly place: number };
}

/** The value that a guide returned on one way, and the choices of few values that led there. */
export interface WayThrough {
  readonly dist: Distribution<unknown>;
  readonly steps: readonly { readonly of: Distribution<unknown>; readonly value: unknown }[];
}

/** Ways where values stand for those of many executions side by side. */
export interface WaysTogether {
  /** All values of a choice, if they are few: the same for all executions. */
  values(of: Distribution<unknown>): readonly unknown[] | undefined;
  /** A value of any other choice, for each execution. */
  draw(of: Distribution<unknown>): unknown;
  /** For each execution, the mixture of what all ways of all runs lead to, a value of which is drawn from the first run. */
  mixture(runs: readonly (readonly WayThrough[])[]): Distribution<unknown>;
}

/** The values that a guide returned on all ways through its choices of few values. */
interface Run {
  readonly components: readonly Component[];
  /** The components of many executions at once, in place of single components. */
  readonly ways: readonly WayThrough[];
  /** Whether something was drawn, so that another run would give something else. */
  readonly draws: boolean;
  /** The score of the choices that were drawn. Gradients do not pass through it. */
  readonly chance: Value;
}

/** The guide that a function stands for: the distribution that it returns, or the mixture of those that it may return. */
export function guideByRunning(
  thunk: () => unknown,
  check: (returned: unknown, alone: boolean) => Distribution<unknown>,
  address: Address,
  samples: number = GUIDE_SAMPLES,
  together?: WaysTogether,
): Distribution<unknown> {
  const running = new Running(thunk, check, address.at('guide'), together);
  const first = running.run();
  if (!running.chooses) return first.components[0].dist;
  const runs = [first];
  while (first.draws && runs.length < samples) runs.push(running.run());
  if (together !== undefined) return together.mixture(runs.map(({ ways }) => ways));
  const chance = runs.reduce<Value>((sum, run) => plus(sum, run.chance), 0);
  return mixtureOfRuns(
    runs.map(({ components }) => components),
    chance,
  );
}

/** Each run counts as much as any other. */
export function mixtureOfRuns(runs: readonly (readonly Component[])[], chance: Value): Distribution<unknown> {
  const [first] = runs;
  if (runs.length === 1) return guideMixture(first, first, chance);
  const share = -Math.log(runs.length);
  return guideMixture(
    first,
    runs.flatMap((run) => run.map(({ dist, log }) => ({ dist, log: plus(log, share) }))),
    chance,
  );
}

class Running {
  /** Whether the guide has made a choice. */
  chooses = false;
  private readonly handler: Handler = machine.handler;
  private readonly lanes = machine.lanes;
  private path: Step[] = [];
  private met = 0;
  private draws = false;
  private chance: Value = 0;
  constructor(
    private readonly thunk: () => unknown,
    private readonly check: (returned: unknown, alone: boolean) => Distribution<unknown>,
    private readonly address: Address,
    private readonly together: WaysTogether | undefined,
  ) {}

  /** Goes through all ways of choices of few values, in order; other choices are drawn on each way. */
  run(): Run {
    const components: Component[] = [];
    const ways: WayThrough[] = [];
    this.path = [];
    this.draws = false;
    this.chance = 0;
    do {
      this.met = 0;
      const returned = withOwnChoices('A guide', this.address, this.thunk, this.choose);
      const dist = this.check(returned, !this.chooses);
      if (this.together !== undefined) {
        const steps = this.path.flatMap(({ value, tried }) => (tried === undefined ? [] : [{ of: tried.of, value }]));
        ways.push({ dist, steps });
        components.push({ dist, log: 0 });
      } else components.push({ dist, log: this.path.reduce<Value>((sum, step) => plus(sum, scoreOf(step)), 0) });
    } while (this.goOn());
    return { components, ways, draws: this.draws, chance: this.chance };
  }

  /** Goes to the next way; false if there is none. */
  private goOn(): boolean {
    for (let step = this.path.pop(); step !== undefined; step = this.path.pop()) {
      const { tried } = step;
      if (tried !== undefined && tried.place + 1 < tried.values.length) {
        this.path.push(stepOf({ ...tried, place: tried.place + 1 }));
        return true;
      }
    }
    return false;
  }

  private readonly choose = <V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined): V => {
    this.chooses = true;
    // The choices of a guide are no effect of the model.
    machine.effects--;
    if (options?.guide !== undefined) {
      throw new WaymarkError('A choice that a guide makes has no guide itself: give sample the distribution alone.');
    }
    if (machine.lanes !== this.lanes)
      throw new OneByOne('choices', 'a guide makes a choice on a side of a conditional');
    if ((machine.sideBySide !== null && this.together === undefined) || machine.tape !== null)
      throw new OneByOne('choices', 'a guide makes choices of its own');
    const place = this.met++;
    if (place === this.path.length) this.path.push(this.fresh(distribution as Distribution<unknown>));
    return this.path[place].value as V;
  };

  private fresh(distribution: Distribution<unknown>): Step {
    const values = this.together === undefined ? triedValues(distribution) : this.together.values(distribution);
    const ways = this.path.reduce((product, { tried }) => product * (tried?.values.length ?? 1), 1);
    if (values !== undefined && ways * values.length <= MOST_WAYS) {
      return stepOf({ of: distribution, values, place: 0 });
    }
    this.draws = true;
    if (this.together !== undefined) return { value: this.together.draw(distribution) };
    const { handler } = this;
    if (handler.auxiliary === undefined) return { value: distribution.draw(machine.stream.begin()) };
    const { value, chance } = during({ handler }, () => handler.auxiliary!(distribution));
    this.chance = plus(this.chance, chance);
    return { value };
  }
}

const stepOf = (tried: NonNullable<Step['tried']>): Step => ({ value: tried.values[tried.place], tried });

const scoreOf = ({ value, tried }: Step): Value => (tried === undefined ? 0 : (tried.of.score(value) as Value));

/** All values of a choice, if they are few, and the same for all that run side by side. */
export function triedValues(distribution: Distribution<unknown>): readonly unknown[] | undefined {
  const holds = (value: unknown): boolean => lifting.current?.holds(value) === true;
  const values = fewValues(distribution, MOST_WAYS);
  if (values === undefined || values.some(holds)) return undefined;
  // (Impossible values are not tried.)
  return holds(distribution.params) ? values : values.filter((value) => distribution.score(value) !== -Infinity);
}
