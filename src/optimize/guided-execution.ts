/** The handler of the ELBO: choices are drawn from guides, and everything is recorded. */
import { guideOf } from '../guides/guide-of.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { DataPass, Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { Node } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Batches } from './batches.ts';
import type { LeafTable } from './leaves.ts';
import type { Chain, PassEvent } from './record.ts';

/** A guide that can be reparameterised: value = transform(noise). */
interface Reparameterised<V> extends Distribution<V> {
  base(): Distribution<V>;
  transform(noise: V): V;
}

export class GuidedExecution implements Handler {
  readonly name = 'Optimize';
  readonly lifted = true;
  readonly guided = true;
  readonly root: Chain = { events: [] };
  private chain = this.root;

  constructor(
    private readonly leaves: LeafTable,
    private readonly batches: Batches,
  ) {}

  param(name: string, value: Tensor, scalar: boolean): Node {
    return this.leaves.leaf(name, value, scalar);
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const address = given.choice(machine.execution);
    const stream = machine.stream.begin();
    const guide = guideOf(target, options, address);
    if (guide === undefined) {
      throw new WaymarkError(
        `${target.name} has no guide here and noAutoGuide forbids an automatic one. Give the choice a guide.`,
      );
    }
    const pathwise = isPathwise(guide, options);
    const value = pathwise ? guide.transform(guide.base().draw(stream)) : guide.draw(stream);
    this.chain.events.push({
      kind: 'choice',
      address,
      target: target as Distribution<unknown>,
      guide: guide as Distribution<unknown>,
      value,
      logTarget: target.score(value),
      logGuide: guide.score(value),
      pathwise,
    });
    return value;
  }

  factor(score: number, address: Address): void {
    this.chain.events.push({ kind: 'factor', address, score });
  }

  mapData(length: number, batchSize: number | undefined, address: Address): DataPass {
    const outer = this.chain;
    const indices = this.batches.indices(address, length, batchSize);
    const event: PassEvent = {
      kind: 'pass',
      address,
      scale: indices === undefined ? 1 : length / indices.length,
      items: [],
    };
    outer.events.push(event);
    return {
      indices,
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
}

function isPathwise<V>(guide: Distribution<V>, options: SampleOptions<V> | undefined): guide is Reparameterised<V> {
  const can = typeof (guide as Partial<Reparameterised<V>>).transform === 'function';
  if (options?.reparam === true && !can) {
    throw new WaymarkError(`reparam: true asks for a pathwise gradient, which the guide ${guide.name} does not have.`);
  }
  if (!can && guide.isContinuous && options?.reparam !== false) {
    machine.run.warn(
      `The guide ${guide.name} is continuous but cannot be reparameterised, so its gradients are noisy. ` +
        'A guide such as Gaussian, LogitNormal or IspNormal would do better.',
    );
  }
  return can && options?.reparam !== false;
}
