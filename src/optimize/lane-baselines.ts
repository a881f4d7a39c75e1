/** Baselines of choices made in lanes: for each lane that of the choice it would make alone. */

import { changedShape } from '../lanes/lane-numbers.ts';
import { closedLanes, type Lanes } from '../lanes/lanes.ts';
import { changeable, type Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { lt, mul, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Baselines } from './baselines.ts';
import { LanePaths, versionOf } from './lane-paths.ts';

export class LaneBaselines {
  private readonly paths = new LanePaths();
  /** For the choices of one place, by the number of the path: the number of the average plus 1, or 0. */
  private readonly known = new Map<Address, Int32Array>();

  constructor(private readonly baselines: Baselines) {}

  /** The baselines of lanes: most of the weight itself where nothing has been learned. */
  of(address: Address, weight: Value, given: Lanes, firstSight: number, rerun: Rerun | null): Value {
    const { baselines } = this;
    // Open lanes: one for each lane that may take the side.
    const lanes = closedLanes(given);
    const averages = new Float64Array(lanes.size);
    const read = (): boolean => baselines.read(this.numbers(address, lanes), averages);
    const complete = read();
    const fixed = constant(averages, SCALAR, lanes.space);
    const leaf = rerun === null ? fixed : changeable(fixed);
    rerun?.changing(leaf, () => {
      if (!read() && complete) throw changedShape;
      return averages;
    });
    const known = gatherTo(leaf, given.space);
    return complete ? known : knownOr(known, mul(firstSight, weight));
  }

  /** Notes the weights of those of the lanes that took a side of a conditional. */
  noteSome(address: Address, { weights, places, count }: WeightsOfSome, lanes: Lanes): void {
    const numbers = this.numbers(address, closedLanes(lanes));
    const own = typeof weights === 'number' ? new Float64Array(count).fill(weights) : (weights as Float64Array);
    this.baselines.noteSome(numbers, places as Int32Array, count, own);
  }

  /** Notes the weights of all lanes: one for each, or one for all. */
  note(address: Address, weight: number | Data, lanes: Lanes): void {
    const numbers = this.numbers(address, lanes);
    const same = typeof weight === 'number' ? weight : weight.length === 1 ? weight[0] : undefined;
    const owner = this.found.get(lanes)!.get(address)!.areDifferent ? address : undefined;
    const weights = same === undefined ? (weight as Data) : new Float64Array(lanes.size).fill(same);
    this.baselines.noteAll(numbers, weights, owner);
  }

  private readonly found = new WeakMap<Lanes, Map<Address, Found>>();

  /** The numbers of the choices that the lanes would make alone. */
  private numbers(address: Address, lanes: Lanes): Int32Array {
    let places = this.found.get(lanes);
    if (places === undefined) {
      places = new Map();
      this.found.set(lanes, places);
    }
    let found = places.get(address);
    if (found === undefined) {
      const blocks = haveSameIndices(lanes) ? new Map<number, Int32Array>() : null;
      found = { version: -1, own: lanes.version, numbers: new Int32Array(lanes.size), areDifferent: false, blocks };
      places.set(address, found);
    }
    const version = versionOf(lanes);
    if (found.version !== version) {
      if (found.blocks !== null && found.own === lanes.version) {
        this.findBlocks(address, lanes, found);
        found.areDifferent = areDifferent(this.paths.numbers(lanes.outer!));
      } else {
        this.find(address, lanes, found.numbers);
        // Where data change from step to step, finding it out again would take longer than it saves.
        found.areDifferent = found.version < 0 && areDifferent(found.numbers);
      }
      found.version = version;
    }
    return found.numbers;
  }

  private find(address: Address, lanes: Lanes, out: Int32Array): void {
    const paths = this.paths.numbers(lanes);
    const known = this.knownOf(address);
    for (let i = 0; i < paths.length; i++) {
      if (known[paths[i]] === 0) known[paths[i]] = this.baselines.number(address.inLane(lanes.path(i))) + 1;
      out[i] = known[paths[i]] - 1;
    }
  }

  /** The same where lanes around have other data, but each of them lanes with the same indices: a block for each datum. */
  private findBlocks(address: Address, lanes: Lanes, { numbers, blocks }: Found): void {
    const around = this.paths.numbers(lanes.outer!);
    const width = lanes.size / around.length;
    for (let lane = 0; lane < around.length; lane++) {
      let block = blocks!.get(around[lane]);
      if (block === undefined) {
        block = new Int32Array(width);
        for (let i = 0; i < width; i++) {
          const path = this.paths.after(around[lane], lanes.indices[i]);
          const known = this.knownOf(address);
          if (known[path] === 0) known[path] = this.baselines.number(address.inLane(lanes.path(lane * width + i))) + 1;
          block[i] = known[path] - 1;
        }
        blocks!.set(around[lane], block);
      }
      numbers.set(block, lane * width);
    }
  }

  /** What is known of the choices of one place, with room for all paths. */
  private knownOf(address: Address): Int32Array {
    let known = this.known.get(address);
    if (known === undefined || known.length < this.paths.size) {
      const longer = new Int32Array(2 * this.paths.size);
      if (known !== undefined) longer.set(known);
      known = longer;
      this.known.set(address, known);
    }
    return known;
  }
}

/** Averages, and something else where they are NaN: nothing is known. Later steps find out anew where that is. */
export const knownOr = (averages: Value, other: Value): Value => select(lt(averages, Infinity), averages, other);

/** The weights of those lanes that took a side of a conditional, and which of the lanes around they are. */
export interface WeightsOfSome {
  /** One for each, or one for all. */
  readonly weights: number | Data;
  readonly places: Data;
  /** How many they are: there may be room for more. */
  readonly count: number;
}

/** The baselines of the lanes of a choice, valid as long as the lanes look at the same data. */
interface Found {
  /** Of the lanes and those around them, and of the lanes themselves. */
  version: number;
  readonly own: number;
  readonly numbers: Int32Array;
  /** Whether they are known to be numbers of different choices. */
  areDifferent: boolean;
  /** By the path of a lane around: the numbers of the lanes within, if these have the same indices in all of them. */
  readonly blocks: Map<number, Int32Array> | null;
}

const areDifferent = (numbers: Int32Array): boolean => new Set(numbers).size === numbers.length;

/** Whether lanes around have each as many, with the same indices, each of them once, and one after the other. */
function haveSameIndices({ outer, indices, around: map, kind }: Lanes): boolean {
  if (kind !== 'iterations' || outer === null || outer.size === 0 || indices.length % outer.size !== 0) return false;
  const width = indices.length / outer.size;
  if (!areDifferent(indices.subarray(0, width))) return false;
  return map !== null && indices.every((index, i) => map[i] === Math.floor(i / width) && index === indices[i % width]);
}
