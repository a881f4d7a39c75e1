/** A datum or an execution whose choices may be varied, as the choices in it see it. */
import { closedLanes, type Lanes } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { laneValue } from '../lanes/value.ts';
import type { Address } from '../runtime/address.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import type { DatumSource, Strand } from './record.ts';
import { ONE_VARIANT, secondOf, type Variant } from './variants.ts';
import type { Limit, VariationPlan } from './variation-plan.ts';

/** How the values of a choice are varied, for each lane in force: asked by the rules for choices. */
export interface SiteVariation {
  /** Which of so many values each lane has; undefined if they are not tried here, where there would be too many variants. */
  places(count: number, limit: Limit): Int32Array | undefined;
  /** One value for all lanes, from a value for each. */
  value(each: readonly unknown[]): unknown;
  /** Which lanes have another value than is drawn, one or two, and which count at this choice; undefined if that is not tried here. */
  twins(limit: Limit, others?: 1 | 2): Twins | undefined;
  /** The most variants that a choice which names no rule may lead to. */
  readonly few: number;
  /** Whether the data around are known as a list. */
  readonly hasData: boolean;
  /** Why values are not tried, where they are not. */
  obstacle(): string;
}

export interface Twins {
  /** 1 in lanes with another value, 2 in those with the second. */
  readonly turned: Uint8Array;
  readonly counts: Uint8Array;
  /** The lanes that these are of, and the space of those that make the choice. */
  readonly lanes: Lanes;
  readonly space: LaneSpace;
}

/**
 * The lanes of which it is known which variants they are: on a side recorded for any lanes that may take it, those around. (Iterations on such a side are other
 * ones in each step.)
 */
function knownLanes(lanes: Lanes | null): Lanes | null {
  if (!lanes?.space.isOpen) return lanes;
  for (let at = lanes; at.space.isOpen; at = at.outer!) if (at.kind !== 'side') return lanes;
  return closedLanes(lanes);
}

export class VariedUnit {
  constructor(
    readonly plan: VariationPlan,
    /** The lanes of the unit, if it has any. */
    private readonly lanes: Lanes | null,
    /** For each of them, the number of its variant. */
    private readonly of: Int32Array | null,
    /** Where the unit begins. */
    private readonly base: Address | null,
    /** The datum that it is, or is part of. */
    readonly datum?: DatumSource,
  ) {}

  /** Whether it is a datum, and not a whole execution. */
  get isDatum(): boolean {
    return this.base !== null;
  }

  /** The lanes' variants. */
  get variants(): readonly Variant[] {
    return this.plan.off === null ? this.plan.variants : ONE_VARIANT;
  }

  site(address: Address, inForce: Lanes | null): SiteVariation {
    const lanes = knownLanes(inForce);
    let all: Located[] | undefined;
    const located = (): Located[] => {
      all ??= this.locate(address, lanes);
      return all;
    };
    return {
      places: (count, limit) => this.places(located(), inForce, count, limit),
      value: (each) => (lanes === null ? each[0] : laneValue(each, lanes)),
      twins: (limit, others = 1) => {
        const found = this.twins(located(), limit, others);
        // Without lanes there is none that has another value.
        return found && lanes !== null ? { ...found, lanes, space: inForce!.space } : undefined;
      },
      few: this.plan.few,
      hasData: this.datum !== undefined,
      obstacle: () => this.plan.obstacle(located()[0].key),
    };
  }

  private places(all: readonly Located[], inForce: Lanes | null, count: number, limit: Limit): Int32Array | undefined {
    if (count === 1) return new Int32Array(all.length);
    const { plan } = this;
    if (!areAll(all, ({ key }) => plan.admits('valued', key, limit))) return undefined;
    const missing = new Map<number, Set<string>>();
    const places = new Int32Array(all.length);
    for (const [i, { key, variant }] of all.entries()) {
      const known = this.variants[variant].places.get(key);
      if (known === undefined) missing.set(variant, (missing.get(variant) ?? new Set()).add(key));
      else if (known.count === count) places[i] = known.place;
      else {
        plan.refuseOthers('valued', key);
        return undefined;
      }
    }
    if (missing.size === 0) return places;
    // Executions that may take a side come to choices that others know nothing of.
    if (inForce?.space.isOpen) recording.current?.obstruct('courses', UNKNOWN);
    plan.grow(missing, count, limit);
    return undefined;
  }

  private twins(all: readonly Located[], limit: Limit, others: number): Pick<Twins, 'turned' | 'counts'> | undefined {
    const { plan } = this;
    if (!areAll(all, ({ key }) => plan.admits('turned', key, limit))) return undefined;
    const turnedOf = ({ variant }: Located): string | undefined => this.variants[variant].turned;
    const keysOf = ({ key }: Located): string[] => (others === 1 ? [key] : [key, secondOf(key)]);
    const missing = all.filter((one) => turnedOf(one) === undefined && !plan.hasTurned(one.key));
    if (missing.length > 0) {
      plan.turn(new Set(missing.flatMap(keysOf)), limit);
      return undefined;
    }
    const turned = Uint8Array.from(all, (one) => keysOf(one).indexOf(turnedOf(one) ?? '') + 1);
    const counts = Uint8Array.from(all, (one, i) => (turnedOf(one) === undefined || turned[i] > 0 ? 1 : 0));
    return { turned, counts };
  }

  /** For each lane: what the choice is called within the unit, and the variant. Lanes that are alike have the same object. */
  private locate(address: Address, lanes: Lanes | null): Located[] {
    const text = address.relativeTo(this.base);
    if (lanes === null) return [{ key: text, variant: 0 }];
    const inner = this.iterationsWithin(lanes);
    // (Where the lanes are all alike, their indices are not asked for.)
    const map = this.lanes === null || this.of === null ? null : lanes.mapTo(this.lanes.space);
    const ofVariant: Located[] = [];
    return Array.from({ length: lanes.size }, (_, lane) => {
      const unitLane = map === null ? lane : map[lane];
      const variant = this.of === null ? 0 : this.of[unitLane];
      if (inner === 0) {
        ofVariant[variant] ??= { key: text, variant };
        return ofVariant[variant];
      }
      const indices = lanes.path(lane).slice(-inner);
      return { key: text.replace(/\[\*\]/g, () => `[${indices.shift()}]`), variant };
    });
  }

  /** How many of the lanes' iterations are within the unit. */
  private iterationsWithin(lanes: Lanes): number {
    let count = 0;
    for (let at: Lanes | null = lanes; at !== null && at !== this.lanes; at = at.outer) {
      if (at.kind === 'iterations') count++;
    }
    return count;
  }
}

/** The variants of lanes, where each unit has one lane for each, one after the other; undefined if there is but one. */
export function variedLanes(plan: VariationPlan, places: Int32Array): Strand['varied'] {
  const { count, variants } = plan;
  return count === 1 ? undefined : { plan, variants, of: places.map((place) => place % count) };
}

const UNKNOWN = 'a choice on a side of a condition is not known for all values that are tried';

interface Located {
  readonly key: string;
  readonly variant: number;
}

/** Whether something holds for all of them. */
const areAll = (all: readonly Located[], holds: (one: Located) => boolean): boolean => [...new Set(all)].every(holds);
