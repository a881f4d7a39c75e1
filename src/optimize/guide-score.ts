/** The handler of objectives that know what the choices were: it asks only how likely the guides find them. */
import { requiredGuide } from '../guides/guide-of.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { DataGiven, DataPass, Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { where } from '../runtime/places.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add } from '../tensor/ops.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { LeafTable } from './leaves.ts';
import type { Chain, PassEvent } from './record.ts';

export class GuideScore implements Handler {
  readonly synthesises = true;
  readonly name = 'Optimize';
  readonly lifted = true;
  readonly guided = true;
  /** Log-probability under the guides of the choices that count. */
  logGuide: Value = 0;
  /** These choices. */
  readonly root: Chain = { events: [] };
  private chain = this.root;

  constructor(
    private readonly leaves: LeafTable,
    private readonly values: ReadonlyMap<Address, unknown>,
    /** Which choices count. */
    private readonly counts: (address: Address) => boolean,
  ) {}

  param(name: string, value: Tensor, scalar: boolean): Node {
    return this.leaves.leaf(name, value, scalar);
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const address = given.choice(machine.execution);
    if (!this.values.has(address)) {
      throw new WaymarkError(
        `The choice from ${target.name} at ${where(address)} is not in the recorded execution: the program took another way ` +
          'than when it was recorded. Which choices it makes must depend on nothing but its other choices.',
      );
    }
    const value = this.values.get(address) as V;
    if (this.counts(address)) this.score(target, options, value, address);
    return value;
  }

  /** Factors say nothing about the guides. */
  factor(): void {}

  observe(): void {}

  mapData(_length: number, _batchSize: number | undefined, address: Address, _given: DataGiven): DataPass {
    const outer = this.chain;
    const event: PassEvent = { kind: 'pass', address, scale: 1, items: [] };
    outer.events.push(event);
    return {
      enter: (datum) => {
        this.chain = { datum, events: [] };
        event.items.push(this.chain);
      },
      leave: () => {
        this.chain = outer;
      },
      finish() {},
    };
  }

  private score<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, value: V, address: Address): void {
    const guide = requiredGuide(target, options, address);
    // A point has no density to be raised; its choice is given.
    const logGuide = guide.name === 'Delta' ? 0 : (guide.score(value) as unknown as Value);
    this.logGuide = add(this.logGuide, logGuide);
    this.chain.events.push({
      kind: 'choice',
      address,
      target: target as Distribution<unknown>,
      guide: guide as Distribution<unknown>,
      value,
      logTarget: 0,
      logGuide,
      pathwise: false,
      automatic: options?.guide === undefined,
      given: true,
    });
  }
}
