/** Executes a model along choices that are known, and records what it computes. */

import type { Address } from '../../runtime/address.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { reasonOf } from '../../runtime/faults.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { during, machine, type Together } from '../../runtime/machine.ts';
import type { SharedMemory } from '../../runtime/memo.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Reason } from '../../runtime/reasons.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';
import { NO_WEBASSEMBLY } from '../obstacles.ts';

import { scoreOf } from './distribution.ts';
import { fromNode, holdsRecorded, isNumeric, isTruth, type Numeric, nodeOf, recordedTemplate } from './recorded.ts';
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
  kept: (value) => value,
};

export abstract class Recorder implements Handler, Together {
  readonly name = 'recording';
  readonly tape = new Tape();
  readonly memory = recordedMemory;
  private readonly leaves: number[] = [];
  private choices = 0;

  /** The first `length` of the choices are those of the execution. */
  constructor(
    private readonly known: readonly KnownChoice[],
    private readonly length: number,
  ) {}

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const place = this.choices++;
    if (place >= this.length) throw new OneByOne('choices', 'the program makes more choices than before');
    const { value, address: before } = this.known[place];
    if (address.choice(machine.execution) !== before)
      throw new OneByOne('choices', 'the program makes other choices than before');
    if (!isNumeric(value)) throw new OneByOne('value', `a choice from ${given.name} is no number`);
    const recorded = fromNode(this.tape.input(Number(value)), isTruth(value));
    this.note(place, given as Distribution<unknown>, recorded, options as SampleOptions<unknown>);
    return recorded as V;
  }

  /** Records a choice and its score. */
  protected abstract note(
    place: number,
    distribution: Distribution<unknown>,
    value: Numeric,
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

/** Functions may depend on choices in ways that cannot be seen. */
function holdsFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}
