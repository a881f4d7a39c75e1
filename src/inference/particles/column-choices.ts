/** What one choice was in each of many executions: values, scores and distributions, by the number of the execution. */
import { Column, differs, fromLanes, lanesOf } from '../../lanes/columns/column.ts';
import { type AnyDistribution, distributionAt, LaneDistribution } from '../../lanes/columns/distribution.ts';
import { currentGroup } from '../../lanes/columns/group.ts';
import { Doubles } from '../../lanes/columns/kernel-memory.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';

/** An item for each execution. Numbers and truth values (as 0 and 1) lie in one piece. */
export class Items {
  constructor(
    readonly list: Float64Array | unknown[],
    readonly isTruth: boolean,
  ) {}

  /** Of a value of the current group. */
  static of(value: unknown): Items {
    if (value instanceof Column) return new Items(value.data, value.isTruth);
    return new Items(differs(value) ? lanesOf(value) : new Array(currentGroup().size).fill(value), false);
  }

  at(i: number): unknown {
    const item = this.list[i];
    return this.isTruth ? item !== 0 : item;
  }

  /** Those of the executions at these places. */
  gathered(places: Int32Array): Items {
    return new Items(gathered(this.list, places), this.isTruth);
  }

  /** As a value of the current group, whose executions have these numbers. */
  asValue(numbers: Int32Array | null): unknown {
    const list = numbers === null ? this.list : gathered(this.list, numbers);
    if (!(list instanceof Float64Array)) return fromLanes(list);
    return new Column(Doubles.of(list), currentGroup(), this.isTruth);
  }

  /** A copy with room for items of the other's kind, which may then be put in. */
  copyFor(other: Items): Items {
    const { list, isTruth } = this;
    const alike = list instanceof Float64Array === other.list instanceof Float64Array && isTruth === other.isTruth;
    return alike || Array.isArray(list) ? new Items(list.slice(), isTruth) : new Items(this.plain, false);
  }

  /** Room for so many items of this kind: one of them everywhere, so that items that are not used are valid, too. */
  room(size: number): Items {
    const { list } = this;
    const made = list instanceof Float64Array ? new Float64Array(size).fill(list[0]) : new Array(size).fill(list[0]);
    return new Items(made, this.isTruth);
  }

  /** Takes over items of another: from these places there to these places here. */
  fill(to: Int32Array, from: Int32Array, other: Items): void {
    const { list } = this;
    if (list instanceof Float64Array) copyNumbers(list, to, other.list as Float64Array, from);
    else for (let k = 0; k < to.length; k++) list[to[k]] = other.at(from[k]);
  }

  /** A copy to be changed. */
  copy(): Items {
    return new Items(this.list.slice(), this.isTruth);
  }

  /** Puts another item in one place; gives these items, or others if these cannot hold it. */
  with(place: number, item: unknown): Items {
    const { list } = this;
    if (list instanceof Float64Array) {
      if (typeof item !== (this.isTruth ? 'boolean' : 'number')) return new Items(this.plain, false).with(place, item);
      list[place] = Number(item);
    } else list[place] = item;
    return this;
  }

  private get plain(): unknown[] {
    return Array.from(this.list, (_, i) => this.at(i));
  }
}

function copyNumbers(into: Float64Array, to: Int32Array, numbers: Float64Array, from: Int32Array): void {
  for (let k = 0; k < to.length; k++) into[to[k]] = numbers[from[k]];
}

/** The numbers at these places. */
export function numbersAt(numbers: Float64Array, places: Int32Array): Float64Array {
  const result = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) result[i] = numbers[places[i]];
  return result;
}

/** The items at these places. */
export function itemsAt<V>(list: readonly V[], places: Int32Array): V[] {
  const result = new Array<V>(places.length);
  for (let i = 0; i < places.length; i++) result[i] = list[places[i]];
  return result;
}

const gathered = (list: Float64Array | unknown[], places: Int32Array): Float64Array | unknown[] =>
  list instanceof Float64Array ? numbersAt(list, places) : itemsAt(list, places);

/** The distribution of a choice in each execution: parameters of a family that columns know, or one for each. */
export class Distributions {
  constructor(
    /** One of that family; null if there is a distribution for each. */
    private readonly family: LaneDistribution | null,
    /** For each parameter its values, or, in the only place, the distributions. */
    readonly parts: readonly Items[],
    /** The constructor of all of them, if it is known to be one. */
    private readonly maker: unknown = undefined,
  ) {}

  /** Of a distribution of the current group. */
  static of(given: AnyDistribution): Distributions {
    if (given instanceof LaneDistribution) {
      const params = Object.values(given.params);
      if (params.every((value) => typeof value === 'number' || value instanceof Column)) {
        return new Distributions(given, params.map(numbersOf));
      }
    }
    const { size } = currentGroup();
    if (!(given instanceof LaneDistribution) && !Array.isArray(given)) {
      return new Distributions(null, [new Items(new Array(size).fill(given), false)], given.constructor);
    }
    const list = Array.from({ length: size }, (_, lane) => distributionAt(given, lane));
    return new Distributions(null, [new Items(list, false)]);
  }

  at(i: number): Distribution<unknown> {
    const { family, parts } = this;
    if (family === null) return parts[0].list[i] as Distribution<unknown>;
    const params: Record<string, unknown> = {};
    let k = 0;
    for (const name in family.params) params[name] = parts[k++].list[i];
    return family.with(params);
  }

  /** Whether that of an execution is over a continuum. */
  isContinuousAt(i: number): boolean {
    const { family, parts } = this;
    return family === null ? (parts[0].list[i] as Distribution<unknown>).isContinuous : family.isContinuous;
  }

  /** The same with other parts, some of which are of another. */
  with(parts: readonly Items[], other: Distributions = this): Distributions {
    return new Distributions(this.family, parts, this.maker === other.maker ? this.maker : undefined);
  }

  /** Whether they are kept in the same way as others. */
  isKeptLike(other: Distributions): boolean {
    return this.family?.name === other.family?.name;
  }

  /** Whether all of them are known to be of the kind that a distribution of the current group is of. */
  areAllLike(given: AnyDistribution): boolean {
    const { family, maker } = this;
    if (family !== null) return given instanceof LaneDistribution && given.name === family.name;
    return maker !== undefined && given.constructor === maker;
  }

  /** The same with a distribution for each. */
  get listed(): Distributions {
    if (this.family === null) return this;
    const list = Array.from(this.parts[0].list, (_, i) => this.at(i));
    return new Distributions(null, [new Items(list, false)]);
  }
}

const numbersOf = (value: unknown): Items =>
  new Items(value instanceof Column ? value.data : new Float64Array(currentGroup().size).fill(value as number), false);

/** What a choice was; items are in the order of the executions it is said of. */
export interface ChoiceItems {
  readonly address: Address;
  readonly values: Items;
  readonly scores: Items;
  readonly distributions: Distributions;
  readonly options: SampleOptions<unknown> | undefined;
}

/** A choice that the executions of a group have just made. */
export interface ChoiceMade extends ChoiceItems {
  /** The numbers of the executions. */
  readonly slots: Int32Array;
}
