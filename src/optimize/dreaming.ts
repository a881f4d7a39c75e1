/** The first half of a dream: the model makes up data. */
import { guideOf } from '../guides/guide-of.ts';
import type { Model } from '../inference/algorithm.ts';
import type { Address } from '../runtime/address.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, type Entry } from '../runtime/execution.ts';
import type { DataGiven, DataPass, Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { DreamtDatum } from './dreamt-datum.ts';

/** What one `mapData` dreamt: the data it took for examples, and what became of them. */
export interface DreamtPass {
  readonly indices: readonly number[];
  readonly data: DreamtDatum[];
}

/** Data made up by the model, with the choices behind them. */
export interface Dream {
  readonly values: ReadonlyMap<Address, unknown>;
  /** Choices made inside `mapData`: those that belong to single data. */
  readonly local: ReadonlySet<Address>;
  readonly passes: ReadonlyMap<Address, DreamtPass>;
  /** Passes that are not inside others, in order. */
  readonly outermost: readonly DreamtPass[];
}

export function dreamOnce(model: Model<unknown>, entry: Entry, stream: RandomStream): Dream {
  const dreaming = new Dreaming();
  if (entry.execute(dreaming, model, stream) === abandoned) throw new Error('a dream was abandoned');
  return dreaming;
}

/**
 * Choices outside `mapData` are drawn from their guides, those inside from the model, and what is observed is drawn
 * from the distribution it is observed under. A choice that depends on an observed value sees the dream if it reads it
 * from the datum after it was observed.
 */
class Dreaming implements Handler, Dream {
  readonly name = 'dream';
  readonly guided = true;
  readonly values = new Map<Address, unknown>();
  readonly local = new Set<Address>();
  readonly passes = new Map<Address, DreamtPass>();
  readonly outermost: DreamtPass[] = [];
  /** The data whose turn it is, the innermost last. */
  private readonly current: DreamtDatum[] = [];

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const address = given.choice(machine.execution);
    const random = machine.stream.begin();
    const local = this.current.length > 0;
    if (local) this.local.add(address);
    const source = local ? target : (guideOf(target, options, address) ?? target);
    const value = source.draw(random);
    this.values.set(address, value);
    return value;
  }

  factor(): never {
    throw new WaymarkError(
      'dream makes up data, and so needs to know how they come about: the model must use observe, not factor or condition.',
    );
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.current.length === 0) {
      throw new WaymarkError(
        'dream makes up the data that mapData goes through; the model must not observe anything outside mapData.',
      );
    }
    const dream = distribution.draw(machine.stream.begin());
    for (let i = this.current.length - 1; i >= 0; i--) if (this.current[i].observed(value, dream)) return;
    throw new WaymarkError(
      `dream cannot tell where in the datum the observed value ${describe(value)} comes from. ` +
        'Inside mapData, observe the datum or a field of it as it stands, not something computed from it.',
    );
  }

  mapData(length: number, _batchSize: number | undefined, address: Address, given: DataGiven): DataPass {
    // Data that are a part of a datum are dreamt with it.
    if (this.current.some((datum) => datum.has(given.data))) return { enter() {}, leave() {}, finish() {} };
    const outer = this.current.length === 0;
    const pass: DreamtPass = { indices: outer ? examples(length, given.dreamBatchSize ?? 1) : all(length), data: [] };
    this.passes.set(address, pass);
    if (outer) this.outermost.push(pass);
    return {
      indices: pass.indices,
      enter() {},
      datum: (_index, datum) => {
        const dreamt = new DreamtDatum(datum);
        pass.data.push(dreamt);
        this.current.push(dreamt);
        return dreamt.shown;
      },
      leave: () => {
        this.current.pop();
      },
      finish() {},
    };
  }
}

const all = (length: number): number[] => Array.from({ length }, (_, i) => i);

function examples(length: number, count: number): number[] {
  if (length === 0) throw new WaymarkError('dream needs at least one datum in mapData, as an example of its form.');
  const random = machine.stream.named('examples').begin();
  return Array.from({ length: count }, () => random.integer(length));
}
