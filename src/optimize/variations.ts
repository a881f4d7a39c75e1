/**
 * Values of choices that are tried side by side, each in a lane of its own. A _unit_ is what they are tried within: a datum of a
 * `mapData`, or a whole execution. All choices of a unit that are tried give its variants, which are a tree: a choice that only
 * one value of another leads to multiplies the variants with that value alone. Lanes of one unit draw the same random numbers, so that
 * they go the same way up to the first choice whose values differ between them. What is the same for all lanes of a datum is computed once
 * (`Lanes.iterations`).
 *
 * The tree is found by running: an execution that comes to a choice which a variant says nothing of has it grow, and starts again
 * (`Revaried`). It is kept from step to step, and is the same for all data of a pass. A variant may so have a value for a choice
 * that an execution never makes: then several variants are the same execution, and share its weight (`lane-weights.ts`).
 */
import type { Address } from '../runtime/address.ts';
import { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';

/** The most variants of a unit. */
export const MOST_VARIANTS = 64;
/** As many where no option asks for more: of a datum, or of an execution that has few data; and of one that has many. */
export const FEW_VARIANTS = 16;
export const FEW_EXECUTIONS = 4;
const MANY_DATA = 16;

/** How a choice is varied: all its values are tried, or another one than was drawn. */
type Varying = 'valued' | 'turned';

/** Which of its values a choice has, and how many there are. */
interface Place {
  readonly place: number;
  readonly count: number;
}

export interface Variant {
  /** By the key of the choice (`varied-unit.ts`). */
  readonly places: ReadonlyMap<string, Place>;
  /** The choice that has another value than is drawn; absent in variants that count as executions. */
  readonly turned?: string;
}

/** Variants have become other ones: the executions of the step start again. */
export class Revaried extends OneByOne {
  constructor() {
    super('choices', 'values of a choice are tried side by side', true);
  }
}

/** How far a choice may be varied. */
export interface Limit {
  /** The most variants it may lead to. */
  readonly most: number;
  /** Whether the choice names the rule that varies it, and is not merely given it. */
  readonly named: boolean;
}

/** The variants of all units of one place. */
export class VariationPlan {
  variants: readonly Variant[] = [{ places: new Map() }];
  /** Choices that are not varied, by place, and why. */
  private readonly refused = new Map<string, string>();
  /** Places of choices that are varied without having named it. */
  private readonly unnamed = new Set<string>();
  /** Why nothing is varied here, if that is so. */
  off: Reason | null = null;
  /** Whether many data are within: each variant is then much to execute. */
  holdsData = false;

  constructor(private readonly changed: () => void) {}

  get count(): number {
    return this.off === null ? this.variants.length : 1;
  }

  /** Another number when something was found that leaves variants as they are. */
  get mark(): number {
    return this.refused.size + this.unnamed.size + (this.off === null ? 0 : 1) + (this.holdsData ? 1 : 0);
  }

  isRefused(how: Varying, key: string): boolean {
    return this.off !== null || this.refusal(how, key) !== undefined;
  }

  /** Why a choice is not varied, in words. */
  obstacle(key: string): string {
    return this.off?.text ?? this.refusal('turned', key) ?? this.refusal('valued', key) ?? TOO_MANY;
  }

  private refusal(how: Varying, key: string): string | undefined {
    return this.refused.get(`${how} ${siteOf(key)}`) ?? this.refused.get(`${how} ${pointOf(key)}`);
  }

  /** So many data are within. Where that is news, and there are more variants than pay, they are found again. */
  meetsData(length: number): void {
    if (this.holdsData || length < MANY_DATA) return;
    this.holdsData = true;
    if (this.off !== null || this.variants.length <= FEW_EXECUTIONS) return;
    this.variants = [{ places: new Map() }];
    this.startAgain();
  }

  /** Varies nothing any more, and starts again. */
  turnOff(reason: Reason): never {
    this.off = reason;
    return this.startAgain();
  }

  /**
   * Adds values for choices that variants, by number, say nothing of. Starts again, unless the choices are refused.
   */
  grow(missing: ReadonlyMap<number, ReadonlySet<string>>, count: number, limit: Limit): void {
    const keys = new Set([...missing.values()].flatMap((each) => [...each]));
    // (Counted before they are made: a loop of a hundred choices would have 2^100.)
    const grown = this.variants.reduce((sum, _, v) => sum + count ** (missing.get(v)?.size ?? 0), 0);
    if (grown > limit.most) {
      this.refuse('valued', keys, TOO_MANY, limit.named ? siteOf : pointOf);
      return;
    }
    this.replace(
      this.variants.flatMap((variant, v) =>
        [...(missing.get(v) ?? [])].reduce<Variant[]>(
          (all, key) => all.flatMap((one) => valued(one, key, count)),
          [variant],
        ),
      ),
      keys,
      limit,
    );
  }

  /** Adds variants in which a choice has the other value. Starts again, unless the choices are refused. */
  turn(keys: ReadonlySet<string>, limit: Limit): void {
    const executions = this.variants.filter(({ turned }) => turned === undefined);
    if (this.variants.length + keys.size * executions.length > limit.most) {
      this.refuse('turned', keys, TOO_MANY, limit.named ? siteOf : pointOf);
      return;
    }
    const twins = [...keys].flatMap((turned) => executions.map(({ places }) => ({ places, turned })));
    this.replace([...this.variants, ...twins], keys, limit);
  }

  hasTurned(key: string): boolean {
    return this.variants.some(({ turned }) => turned === key);
  }

  /** Choices of these keys are not varied: of other kinds each time, or too many. Starts again if they were before. */
  refuse(how: Varying, keys: Iterable<string>, why: string, group = siteOf): void {
    for (const key of keys) this.refused.set(`${how} ${group(key)}`, why);
    if (this.withoutRefused()) this.startAgain();
  }

  /** Choices that have not named it are not varied any more; whether there were any. */
  refuseUnnamed(why: string): boolean {
    if (this.off !== null || this.unnamed.size === 0) return false;
    for (const point of this.unnamed) {
      this.refused.set(`valued ${point}`, why);
      this.refused.set(`turned ${point}`, why);
    }
    this.unnamed.clear();
    if (this.withoutRefused()) this.changed();
    return true;
  }

  /** Leaves variants out that refused choices alone have led to; whether there were any. */
  private withoutRefused(): boolean {
    const left = this.variants.filter(
      ({ turned }) => turned === undefined || this.refusal('turned', turned) === undefined,
    );
    const kept = distinct(
      left.map(({ places, turned }) => ({
        places: new Map([...places].filter(([key]) => this.refusal('valued', key) === undefined)),
        turned,
      })),
    );
    if (kept.length === this.variants.length) return false;
    this.variants = kept;
    return true;
  }

  private replace(grown: readonly Variant[], keys: ReadonlySet<string>, { named }: Limit): void {
    if (!named) for (const key of keys) this.unnamed.add(pointOf(key));
    this.variants = grown;
    this.startAgain();
  }

  private startAgain(): never {
    this.changed();
    throw new Revaried();
  }

  /** As numbers by name, for a checkpoint. */
  *save(): Iterable<[string, number]> {
    if (this.off !== null) yield ['off', 1];
    if (this.holdsData) yield ['data', 1];
    for (const [place, why] of this.refused) yield [`refused ${place}`, REASONS.indexOf(why)];
    for (const place of this.unnamed) yield [`unnamed ${place}`, 1];
    if (this.variants.length === 1) return;
    for (const [v, { places, turned }] of this.variants.entries()) {
      yield [`${v} is`, 1];
      if (turned !== undefined) yield [`${v} turned ${turned}`, 1];
      for (const [key, { place, count }] of places) yield [`${v} has ${key}`, place + count * PACKING];
    }
  }

  restore(numbers: ReadonlyMap<string, number>): void {
    const variants: { places: Map<string, Place>; turned?: string }[] = [];
    for (const [name, number] of numbers) {
      const [, v, what, key] = /^(\d+) (is|turned|has) ?(.*)$/.exec(name) ?? [];
      if (name === 'off') this.off = BEFORE_CHECKPOINT;
      else if (name === 'data') this.holdsData = true;
      else if (name.startsWith('refused ')) this.refused.set(name.slice('refused '.length), REASONS[number]);
      else if (name.startsWith('unnamed ')) this.unnamed.add(name.slice('unnamed '.length));
      else if (what === 'is') variants[Number(v)] = { places: new Map() };
      else if (what === 'turned') variants[Number(v)].turned = key;
      else {
        const count = Math.floor(number / PACKING);
        variants[Number(v)].places.set(key, { place: number - count * PACKING, count });
      }
    }
    if (variants.length > 0) this.variants = variants;
  }
}

/** Sequences whose steps have no choices of few values are no different for it. */
export const NOTHING_SUMMED = new Reason('choices', 'there is nothing to sum over');

const BEFORE_CHECKPOINT = new Reason('choices', 'it was so before the checkpoint');
const PACKING = 1024;

const TOO_MANY = 'there would be too many of them';
/** Choices that have other values each time. */
export const OTHER_VALUES = 'they are others each time';
export const IMPOSSIBLE = 'one of them is impossible, or leads to what is, and was not drawn';
export const NOT_TOGETHER = 'they keep data or executions from running side by side';
/** In a checkpoint they are numbers. */
const REASONS = [TOO_MANY, OTHER_VALUES, IMPOSSIBLE, NOT_TOGETHER];

/** Iterations of one place are varied together or not at all, so that the order in which they are met makes no difference. */
const siteOf = (key: string): string => key.replace(/\[\d+\]/g, '[]').replace(/'$/, '');

/** What the second other value of a choice is called. */
export const secondOf = (key: string): string => `${key}'`;

/** The same for all choices of one call in the program, however deep a recursion is: for choices that have not asked. */
const pointOf = (key: string): string => `at ${/[^/[]*(\[\])?$/.exec(siteOf(key))![0].replace('[]', '')}`;

const valued = ({ places, turned }: Variant, key: string, count: number): Variant[] =>
  Array.from({ length: count }, (_, place) => ({ places: new Map([...places, [key, { place, count }]]), turned }));

function distinct(variants: readonly Variant[]): Variant[] {
  const textOf = ({ places, turned }: Variant): string =>
    JSON.stringify([turned, [...places].map(([key, { place }]) => [key, place])]);
  return [...new Map(variants.map((variant) => [textOf(variant), variant])).values()];
}

/**
 * Data that could not run side by side perhaps can without the values that are tried by default: if so, the step starts
 * again.
 */
export function tryWithout(plan: VariationPlan, refused: Map<Address, Reason>, pass: Address): undefined {
  if (plan.count === 1 || !plan.refuseUnnamed(NOT_TOGETHER)) return undefined;
  refused.delete(pass);
  throw new Revaried();
}

/** The variants of an optimisation: of its executions, and of the data of each pass. */
export class Variations {
  private readonly plans = new Map<string, VariationPlan>();
  private readonly byAddress = new Map<Address, VariationPlan>();
  /** Counts how often variants have changed. */
  version = 0;

  /** Another number whenever something was found out. */
  get mark(): number {
    let { version } = this;
    for (const { mark } of this.plans.values()) version += mark;
    return version;
  }

  /** Of the data of a pass, or of executions. */
  at(address: Address | null): VariationPlan {
    if (address === null) return this.plan('');
    let plan = this.byAddress.get(address);
    if (plan === undefined) {
      // The same for a pass inside another, whether data run side by side or one by one.
      plan = this.plan(String(address).replace(/\[(\d+|\*)\]/g, '[]'));
      this.byAddress.set(address, plan);
    }
    return plan;
  }

  private plan(name: string): VariationPlan {
    let plan = this.plans.get(name);
    if (plan === undefined) {
      plan = new VariationPlan(() => {
        this.version++;
      });
      this.plans.set(name, plan);
    }
    return plan;
  }

  /** Why values are not tried side by side where that was asked for, by the address of the pass. */
  *refusals(): Iterable<Reason> {
    for (const { off } of this.plans.values()) if (off !== null && off !== NOTHING_SUMMED) yield off;
  }

  *save(): Iterable<[string, number]> {
    for (const [name, plan] of this.plans) {
      for (const [entry, number] of plan.save()) yield [`${NAME}${name}|${entry}`, number];
    }
  }

  /** Takes what belongs here out of the numbers of a checkpoint. */
  restore(numbers: Map<string, number>): void {
    const entries = new Map<string, Map<string, number>>();
    for (const [text, number] of numbers) {
      if (!text.startsWith(NAME)) continue;
      numbers.delete(text);
      const [name, entry] = text.slice(NAME.length).split('|');
      const own = entries.get(name) ?? new Map<string, number>();
      entries.set(name, own.set(entry, number));
    }
    for (const [name, own] of entries) this.plan(name).restore(own);
  }
}

const NAME = 'variants ';
