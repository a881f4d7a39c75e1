/** The handler of objectives that know what the choices were: it asks only how likely the guides find them. */
import { guideOf } from '../guides/guide-of.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add } from '../tensor/ops.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { BadStep } from './bad-terms.ts';
import type { LeafTable } from './leaves.ts';
import { where } from './places.ts';

export class GuideScore implements Handler {
  readonly name = 'Optimize';
  readonly lifted = true;
  readonly guided = true;
  /** Log-probability under the guides of the choices that count. */
  logGuide: Value = 0;

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
    if (this.counts(address)) this.score(target, guideOf(target, options, address), value, address);
    return value;
  }

  /** Factors say nothing about the guides. */
  factor(): void {}

  observe(): void {}

  private score<V>(target: Distribution<V>, guide: Distribution<V> | undefined, value: V, address: Address): void {
    if (guide === undefined) {
      throw new WaymarkError(
        `${target.name} has no guide here and noAutoGuide forbids an automatic one. Give the choice a guide.`,
      );
    }
    // A point has no density to be raised; its choice is given.
    if (guide.name === 'Delta') return;
    const score = guide.score(value) as unknown as Value;
    if (!(score instanceof Node) && score === -Infinity) {
      throw new BadStep(
        `The guide ${guide.name} of the choice from ${target.name} at ${where(address)} rules out the value that was recorded.`,
      );
    }
    this.logGuide = add(this.logGuide, score);
  }
}
