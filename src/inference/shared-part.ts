/**
 * What a model does before `mapData`: choices that all data share. For one datum they are as they have been learned, that is
 * drawn from their guides and not weighed again; what is inside `mapData` is left to the inference at hand.
 */
import { followed } from '../guides/guide-of.ts';
import { callWithData } from '../lanes/columns/data.ts';
import { currentGroup } from '../lanes/columns/group.ts';
import type { Address } from '../runtime/address.ts';
import { atDatum } from '../runtime/datum-error.ts';
import type { DataGiven, DataPass, Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { Iterations } from '../runtime/iteration.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne, Reached } from '../runtime/signals.ts';
import { fromAnyGuide, type Proposal } from './particles/proposals.ts';
import { guideTogether } from './sampling/column-guides.ts';

/** What is done with the data that a model comes to, and the function it has for them. */
export type AtData = (data: ArrayLike<unknown>, body: (datum: unknown, index: number) => unknown) => unknown;

class SharedPart implements Handler {
  readonly name: string;
  readonly guided = true;
  readonly usesAddresses = true;
  /** Observations here do not count: the guides have learned from them. */
  readonly synthesises = true;

  constructor(
    /** That of the inference at hand. */
    private readonly inner: Handler,
    private readonly proposal: Proposal,
    private readonly atData: AtData,
  ) {
    this.name = inner.name;
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const guide =
      machine.sideBySide === null
        ? this.alone(distribution, options, address)
        : guideTogether(this.proposal, null, distribution, options, address);
    const value = this.inner.sample(guide ?? distribution, { noAutoGuide: true }, address);
    followed(guide)?.chosen(value);
    return value;
  }

  private alone<V>(
    distribution: Distribution<V>,
    options: SampleOptions<V> | undefined,
    address: Address,
  ): Distribution<V> | undefined {
    const outer = machine.address;
    const guide = this.proposal(
      distribution as Distribution<unknown>,
      options as SampleOptions<unknown>,
      address.choice(machine.execution),
    );
    // The program goes on from where it is.
    machine.address = outer;
    return guide as Distribution<V> | undefined;
  }

  /** Says something of what all data share. */
  factor(): void {}

  mapData(_length: number, _batchSize: number | undefined, _address: Address, _given: DataGiven): DataPass {
    const nothing = (): void => {};
    return {
      enter: nothing,
      leave: nothing,
      finish: nothing,
      together: (data, body) => {
        if (machine.sideBySide !== null && currentGroup().depth > 0)
          throw new OneByOne('courses', 'mapData is called on one side of a condition');
        machine.handler = this.inner;
        throw new Reached(this, this.atData(data, body as never));
      },
    };
  }
}

/** Runs a model up to its data; gives what is done there. `otherwise` is for models without `mapData`. */
export function upToData(model: () => unknown, proposal: Proposal, atData: AtData, otherwise: () => never): unknown {
  const { handler } = machine;
  const shared = new SharedPart(handler, proposal, atData);
  machine.handler = shared;
  try {
    model();
  } catch (thrown) {
    if (thrown instanceof Reached && thrown.by === shared) return thrown.value;
    throw thrown;
  } finally {
    machine.handler = handler;
  }
  return otherwise();
}

/** A model as it is for one of its data: its value is what the function given to `mapData` returns. */
export function forDatum(
  model: () => unknown,
  index: number,
  /** The data to take in place of the model's own. */
  given: ArrayLike<unknown> | undefined,
  otherwise: () => never,
): () => unknown {
  const proposal = fromAnyGuide();
  const atData: AtData = (own, body) => {
    const data = given ?? own;
    const iterations = new Iterations();
    try {
      iterations.enter(index);
      return body(data[index], index);
    } catch (thrown) {
      throw atDatum(thrown, index);
    } finally {
      iterations.leave();
    }
  };
  return () => upToData(model, proposal, atData, otherwise);
}

/** The same for executions side by side, each for one of the data: `indices` says which, by its number. */
export function forData(
  model: () => unknown,
  indices: Int32Array,
  given: ArrayLike<unknown> | undefined,
  otherwise: () => never,
): () => unknown {
  const proposal = fromAnyGuide();
  const atData: AtData = (own, body) => callWithData(given ?? own, indices, body);
  return () => upToData(model, proposal, atData, otherwise);
}
