/**
 * Baselines that are learned from data (NVIL, Mnih and Gregor 2014): a network for each choice of the program predicts, from the numbers of a
 * datum, what the choice will be weighed by. Where each step looks at other data, a running mean of one datum would be old or missing.
 * What is subtracted in a step was learned in earlier ones, which keeps the estimate unbiased.
 */
import type { Lanes } from '../lanes/lanes.ts';
import { changeable, type Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { constant, scalar } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { mul } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { BaselineNetwork } from './baseline-network.ts';
import { DatumFeatures } from './datum-features.ts';
import type { ChoiceEvent, DatumSource } from './record.ts';
import type { Weighted } from './surrogate.ts';

export class LearnedBaselines {
  private readonly networks = new Map<string, BaselineNetwork>();
  private readonly features = new WeakMap<object, DatumFeatures>();

  /** The baseline of a weight: predicted, or most of the weight itself where nothing has been learned. */
  of(choice: ChoiceEvent, weight: Value, lanes: Lanes | undefined, firstSight: number, rerun: Rerun | null): Value {
    const network = this.networkOf(choice);
    if (!network.knows) {
      rerun?.obstruct('choices', 'a choice is met for the first time');
      return mul(firstSight, weight);
    }
    const predicted = (): Float64Array => this.predict(network, choice.datum!, lanes);
    const fixed = lanes === undefined ? scalar(predicted()[0]) : constant(predicted(), SCALAR, lanes.space);
    if (rerun === null) return fixed;
    const leaf = changeable(fixed);
    rerun.changing(leaf, () => (lanes === undefined ? predicted()[0] : predicted()));
    return leaf;
  }

  /** Learns from the weights of a step: of choices of one datum from their mean. */
  learn(weighted: readonly Weighted[], weights: readonly (number | Data)[]): void {
    const seen = new Map<BaselineNetwork, { of: DatumFeatures; sums: Map<number, { sum: number; count: number }> }>();
    weighted.forEach(({ choice, lanes }, i) => {
      if (choice.rule.baseline !== 'learned') return;
      const network = this.networkOf(choice);
      const own = seen.get(network) ?? { of: this.featuresOf(choice.datum!), sums: new Map() };
      seen.set(network, own);
      const weight = weights[i];
      indicesOf(choice.datum!, lanes).forEach((index, lane) => {
        const known = own.sums.get(index) ?? { sum: 0, count: 0 };
        known.sum += typeof weight === 'number' ? weight : weight[lane % weight.length];
        known.count++;
        own.sums.set(index, known);
      });
    });
    for (const [network, { of, sums }] of seen) {
      network.learn(
        [...sums.keys()].map((index) => of.of(index)),
        Array.from(sums.values(), ({ sum, count }) => sum / count),
      );
    }
  }

  *save(below: Address): Iterable<[string, number]> {
    for (const [place, network] of this.networks) {
      let k = 0;
      for (const number of network.save()) yield [`${NAME}${k++} ${relative(place, below)}`, number];
    }
  }

  /** Takes what belongs here out of the numbers of a checkpoint. */
  restore(numbers: Map<string, number>, below: Address): void {
    const found = new Map<string, number[]>();
    for (const [name, number] of numbers) {
      if (!name.startsWith(NAME)) continue;
      numbers.delete(name);
      const [, k, place] = /^(\d+) (.*)$/.exec(name.slice(NAME.length))!;
      const own = found.get(place) ?? [];
      own[Number(k)] = number;
      found.set(place, own);
    }
    for (const [place, own] of found) this.networks.set(`${placeOf(below)}${place}`, BaselineNetwork.restored(own));
  }

  private predict(network: BaselineNetwork, datum: DatumSource, lanes: Lanes | undefined): Float64Array {
    const features = this.featuresOf(datum);
    const known = new Map<number, number>();
    return Float64Array.from(indicesOf(datum, lanes), (index) => {
      if (!known.has(index)) known.set(index, network.predict(features.of(index)));
      return known.get(index)!;
    });
  }

  private networkOf({ address, datum }: ChoiceEvent): BaselineNetwork {
    const { size } = this.featuresOf(datum!);
    // Where a program makes its data anew they may be of another size.
    const place = `${placeOf(address)} ${size}`;
    let network = this.networks.get(place);
    if (network === undefined) {
      network = new BaselineNetwork(size);
      this.networks.set(place, network);
    }
    return network;
  }

  private featuresOf({ data }: DatumSource): DatumFeatures {
    let features = this.features.get(data);
    if (features === undefined) {
      features = new DatumFeatures(data);
      this.features.set(data, features);
    }
    return features;
  }
}

const NAME = 'learned ';

/** Iterations of one place have one network. */
const placeOf = (address: Address): string => String(address).replace(/\[(\d+|\*)\]/g, '[]');

const relative = (place: string, below: Address): string => place.slice(placeOf(below).length);

/** Which datum each lane is of. */
function indicesOf({ lanes: around, index }: DatumSource, lanes: Lanes | undefined): Int32Array {
  if (around === null) return new Int32Array(lanes?.size ?? 1).fill(index);
  const map = lanes!.mapTo(around.space);
  return map === null ? around.indices : map.map((lane) => around.indices[lane]);
}
