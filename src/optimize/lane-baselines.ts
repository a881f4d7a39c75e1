/** Baselines of choices made in lanes: for each lane that of the choice it would make alone. */
import type { Lanes } from '../lanes/lanes.ts';
import type { Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { constant } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { mul, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Baselines } from './baselines.ts';

/** The addresses that the choices of single data have: kept for each datum, because data come again in every step. */
const ofData = new WeakMap<Address, Map<string, Address>>();
const ofLanes = new WeakMap<Lanes, Map<Address, Address[]>>();

export function addressesAlone(address: Address, lanes: Lanes): Address[] {
  let byAddress = ofLanes.get(lanes);
  if (byAddress === undefined) {
    byAddress = new Map();
    ofLanes.set(lanes, byAddress);
  }
  let addresses = byAddress.get(address);
  if (addresses === undefined) {
    addresses = Array.from({ length: lanes.size }, (_, lane) => addressOf(address, lanes.path(lane)));
    byAddress.set(address, addresses);
  }
  return addresses;
}

function addressOf(address: Address, path: readonly number[]): Address {
  let known = ofData.get(address);
  if (known === undefined) {
    known = new Map();
    ofData.set(address, known);
  }
  const key = path.join();
  let found = known.get(key);
  if (found === undefined) {
    found = address.inLane(path);
    known.set(key, found);
  }
  return found;
}

export function laneBaseline(
  baselines: Baselines,
  address: Address,
  weight: Value,
  lanes: Lanes,
  firstSight: number,
  rerun: Rerun | null,
): Value {
  const addresses = addressesAlone(address, lanes);
  const averages = addresses.map((own) => baselines.get(own));
  const numbers = Float64Array.from(averages, (average) => average ?? 0);
  const known = constant(numbers, SCALAR, lanes.space);
  if (averages.every((average) => average !== undefined)) {
    rerun?.changing(known, () => {
      for (let i = 0; i < numbers.length; i++) numbers[i] = baselines.get(addresses[i])!;
      return numbers;
    });
    return known;
  }
  rerun?.obstruct('a choice is met for the first time');
  const isKnown = constant(
    Float32Array.from(averages, (average) => (average === undefined ? 0 : 1)),
    SCALAR,
    lanes.space,
    'bool',
  );
  return select(isKnown, known, mul(firstSight, weight));
}

/** Notes the weights of all lanes: one for each, or one for all. */
export function noteLanes(baselines: Baselines, address: Address, weight: number | Data, lanes: Lanes): void {
  addressesAlone(address, lanes).forEach((own, lane) => {
    baselines.note(own, typeof weight === 'number' ? weight : weight.length === 1 ? weight[0] : weight[lane]);
  });
}
