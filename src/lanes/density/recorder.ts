/** Executes a model along choices that are known, and records what it computes. */

import { drawsNumbers, listedValues } from '../../distributions/of-family.ts';
import type { Address } from '../../runtime/address.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { reasonOf } from '../../runtime/faults.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { during, machine, type Together } from '../../runtime/machine.ts';
import type { SharedMemory } from '../../runtime/memo.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';
import { NO_WEBASSEMBLY } from '../obstacles.ts';

import { formOf, oneFamily, RecordedDistribution, scoreOf } from './distribution.ts';
import { heldChoice } from './later-values.ts';
import {
  fromNode,
  holdsRecorded,
  isTruth,
  laterOf,
  type Numeric,
  nodeOf,
  recordedTemplate,
  tableOf,
  tape,
} from './recorded.ts';
import type { HeldValues } from './remembering.ts';
import { chosenFrom } from './tables.ts';
import { Tape } from './tape.ts';
import type { Part, Taped } from './tape-recording.ts';

/** A choice of the execution. */
export interface KnownChoice {
  readonly address: Address;
  readonly value: unknown;
}

/** The recording follows one execution, which remembers as ever. */
const recordedMemory: SharedMemory = {
  differ: (args) => args.some(holdsRecorded),
  ofEach() {
    throw new OneByOne('state', 'mem is given what depends on choices');
  },
  recalled: (found) => found,
  kept(value) {
    tape().effect();
    return value;
  },
};

/** A choice that was made: the number that stands for it, and what the program gets. */
export interface Made {
  readonly node: number;
  readonly value: unknown;
  /** Where that is no number: all values that it may have, or those that it was given. */
  readonly listed: readonly unknown[] | null;
  readonly held: HeldValues | null;
}

/** All values that a choice may have, if they are the same whatever other choices are. */
export function valuesOf(distribution: Distribution<unknown>): readonly unknown[] | undefined {
  const table = tableOf(distribution);
  if (table !== undefined) {
    const [first, ...others] = table.values.map((one) => valuesOf(one as Distribution<unknown>));
    const areSame = others.every(
      (list) => list?.length === first?.length && list?.every((one, i) => one === first?.[i]),
    );
    return areSame ? first : undefined;
  }
  if (distribution instanceof RecordedDistribution) {
    const { vs } = distribution.params;
    const isNamed = distribution.name === 'Categorical' && Array.isArray(vs) && !holdsRecorded(vs);
    return isNamed ? valuesOf(distribution.rebuild({ vs })) : undefined;
  }
  if (holdsRecorded(distribution)) return undefined;
  return listedValues(distribution);
}

export abstract class Recorder implements Handler, Together {
  readonly name = 'recording';
  readonly tape: Tape;
  readonly memory = recordedMemory;
  private readonly leaves: number[] = [];
  private choices = 0;

  /** Whether choices may have values of which no list is known. */
  abstract readonly holdsValues: boolean;

  /** The first `length` of the choices are those of the execution. */
  constructor(
    private readonly known: readonly KnownChoice[],
    private readonly length: number,
    takesTables: boolean,
  ) {
    this.tape = new Tape(takesTables);
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    this.tape.effect();
    const place = this.choices++;
    if (place >= this.length) throw new OneByOne('choices', 'the program makes more choices than before');
    const { value, address: before } = this.known[place];
    if (address.choice(machine.execution) !== before)
      throw new OneByOne('choices', 'the program makes other choices than before');
    const distribution = oneFamily(given as Distribution<unknown>);
    const isNumber = typeof value === 'number' || typeof value === 'boolean';
    const made = isNumber && this.areLike(distribution, value) ? this.number(value) : this.among(distribution, value);
    this.note(place, distribution, made, options as SampleOptions<unknown>);
    return made.value as V;
  }

  /** Whether all values of the choice are of the kind of this one. */
  private areLike(distribution: Distribution<unknown>, value: number | boolean): boolean {
    if (formOf(distribution) !== undefined || (typeof value === 'number' && drawsNumbers(distribution))) return true;
    return valuesOf(distribution)?.every((one) => typeof one === typeof value) ?? true;
  }

  private number(value: number | boolean): Made {
    const node = this.tape.input(Number(value));
    return { node, value: fromNode(node, isTruth(value)), listed: null, held: null };
  }

  private among(distribution: Distribution<unknown>, value: unknown): Made {
    const listed = valuesOf(distribution);
    const place = listed?.indexOf(value) ?? -1;
    const isHeld = typeof value === 'string' || (typeof value === 'object' && value !== null);
    if (listed === undefined && isHeld && this.holdsValues) return { ...heldChoice(value), listed: null };
    if (listed === undefined || place < 0)
      throw new OneByOne('value', `a choice from ${distribution.name} is no number`);
    const node = this.tape.input(place);
    return { node, value: chosenFrom(listed, node), listed, held: null };
  }

  /** Records a choice and its score. */
  protected abstract note(
    place: number,
    distribution: Distribution<unknown>,
    made: Made,
    options: SampleOptions<unknown> | undefined,
  ): void;

  observe<V>(distribution: Distribution<V>, value: V): void {
    this.factor(scoreOf(distribution as Distribution<unknown>, value));
  }

  factor(score: unknown): void {
    this.tape.factor(nodeOf(score as Numeric));
  }

  proposalBoundary(): void {
    throw new OneByOne('library', 'there is a proposal boundary');
  }

  /** After the model has ended, while values are still recorded. */
  protected ended(): void {}

  /** How to make a value again. */
  protected part(value: unknown): Part {
    const start = this.leaves.length;
    const own: number[] = [];
    const template = recordedTemplate(value, own);
    this.leaves.push(...own);
    return { template, start, count: own.length };
  }

  /** Executes the model, and makes a recording of it. A reason says why it cannot be recorded. */
  record<R>(entry: Entry, model: () => unknown, stream: RandomStream, make: (taped: Taped) => R): R | Reason {
    if (webAssembly === undefined) return NO_WEBASSEMBLY;
    const { tape, leaves } = this;
    try {
      return during({ tape }, () => {
        const returned = entry.many(this, () => this.execute(entry, model, stream));
        return make({ tape, leaves, returned });
      });
    } catch (thrown) {
      return reasonOf(thrown);
    }
  }

  private execute(entry: Entry, model: () => unknown, stream: RandomStream): Part {
    machine.columns = this;
    const before = machine.program.readAs?.('recording') ?? null;
    try {
      const value = entry.again(this, model, stream);
      if (value === abandoned) throw new OneByOne('weights', 'the execution is impossible');
      if (this.choices !== this.length) throw new OneByOne('choices', 'the program makes fewer choices than before');
      if (holdsFunction(value)) throw new OneByOne('value', 'the model returns a function');
      this.ended();
      return this.part(value);
    } finally {
      machine.program.readAs?.(before);
      machine.columns = null;
    }
  }
}

/**
 * What `record` makes of an execution. Where values other than numbers cannot be followed as tables, they are looked at, so that the recording holds as
 * long as they are the same.
 */
export function recordedBy<R>(
  record: (takesTables: boolean) => { readonly made: R | Reason; readonly tables: number },
): R | Reason {
  const { made, tables } = record(true);
  if (!(made instanceof Reason) || tables === 0) return made;
  const { made: looking } = record(false);
  // Without tables there is less that can be recorded: what is said is what was in the way of more.
  return looking instanceof Reason ? made : looking;
}

/** Functions may depend on choices in ways that cannot be seen. */
function holdsFunction(given: unknown): boolean {
  const value = laterOf(given)?.now ?? given;
  const table = tableOf(value);
  if (table !== undefined) return table.values.some(holdsFunction);
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}
