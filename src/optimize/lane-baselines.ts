/** Baselines of choices made in lanes: for each lane that of the choice it would make alone. */
import type { Lanes } from '../lanes/lanes.ts';
import { changeable, type Rerun } from '../lanes/rerun.ts';
import { changedShape } from '../lanes/value.ts';
import type { Address } from '../runtime/address.ts';
import { constant } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { mul, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Baselines } from './baselines.ts';

/** The addresses that the choices of single data have: kept for each datum, because data come again in every step. */
const ofData = new WeakMap<Address, Map<string, Address>>();
const ofLanes = new WeakMap<Lanes, { version: number; byAddress: Map<Address, Address[]> }>();

export function addressesAlone(address: Address, lanes: Lanes): Address[] {
  const version = versionOf(lanes);
  let known = ofLanes.get(lanes);
  if (known?.version !== version) {
    known = { version, byAddress: new Map() };
    ofLanes.set(lanes, known);
  }
  let addresses = known.byAddress.get(address);
  if (addresses === undefined) {
    addresses = Array.from({ length: lanes.size }, (_, lane) => addressOf(address, lanes.path(lane)));
    known.byAddress.set(address, addresses);
  }
  return addresses;
}

/** Changes with the data that the lanes, or those around them, look at. */
function versionOf(lanes: Lanes): number {
  let version = 0;
  for (let at: Lanes | null = lanes; at !== null; at = at.outer) version += at.version;
  return version;
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
  const fixed = constant(numbers, SCALAR, lanes.space);
  const known = rerun === null ? fixed : changeable(fixed);
  if (averages.every((average) => average !== undefined)) {
    rerun?.changing(known, () => {
      const now = addressesAlone(address, lanes);
      for (let i = 0; i < numbers.length; i++) {
        const average = baselines.get(now[i]);
        if (average === undefined) throw changedShape;
        numbers[i] = average;
      }
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
