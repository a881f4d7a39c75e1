/** Baselines of choices made in lanes: for each lane that of the choice it would make alone. */
import { type Lanes, laneNumbers } from '../lanes/lanes.ts';
import type { Address } from '../runtime/address.ts';
import { constant } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { mul, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Baselines } from './baselines.ts';

/** The addresses that the lanes have alone, kept because data come again in every step. */
const alone = new WeakMap<Address, Map<string, Address>>();

export function addressesAlone(address: Address, lanes: Lanes): Address[] {
  let known = alone.get(address);
  if (known === undefined) {
    known = new Map();
    alone.set(address, known);
  }
  return Array.from({ length: lanes.size }, (_, lane) => {
    const path = lanes.path(lane);
    const key = path.join();
    let found = known.get(key);
    if (found === undefined) {
      found = address.inLane(path);
      known.set(key, found);
    }
    return found;
  });
}

export function laneBaseline(
  baselines: Baselines,
  address: Address,
  weight: Value,
  lanes: Lanes,
  firstSight: number,
): Value {
  const averages = addressesAlone(address, lanes).map((own) => baselines.get(own));
  const numbers = Float64Array.from(averages, (average) => average ?? 0);
  const known = constant(numbers, SCALAR, lanes.space);
  if (averages.every((average) => average !== undefined)) return known;
  const isKnown = constant(
    Float32Array.from(averages, (average) => (average === undefined ? 0 : 1)),
    SCALAR,
    lanes.space,
    'bool',
  );
  return select(isKnown, known, mul(firstSight, weight));
}

export function noteLanes(baselines: Baselines, address: Address, weight: Value, lanes: Lanes): void {
  const numbers =
    weight instanceof Node ? laneNumbers(weight, lanes) : new Float64Array(lanes.size).fill(Number(weight));
  addressesAlone(address, lanes).forEach((own, lane) => {
    baselines.note(own, numbers[lane]);
  });
}
