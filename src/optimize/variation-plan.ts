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
import { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { LaneBudget } from './lane-budget.ts';
import {
  grown,
  grownCount,
  ONE_VARIANT,
  type Place,
  placeOf,
  pointIn,
  pointOf,
  reduced,
  VARYING,
  type Variant,
  type Varying,
  withTwins,
} from './variants.ts';

/** The most variants of a unit. */
export const MOST_VARIANTS = 64;
/** As many where no choice asks for more and not all choices have room, or there are many data: of each of these; and of an execution that has many data in it. */
const FEW_VARIANTS = 16;
const FEW_EXECUTIONS = 4;
const MANY_DATA = 16;

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
  variants: readonly Variant[] = ONE_VARIANT;
  /** Those with which the step began. */
  private started: readonly Variant[] = ONE_VARIANT;
  /** Choices that are not varied, by place, and why. */
  private readonly refused = new Map<string, string>();
  /** Points of choices that have not named how they are varied. */
  private readonly points = new Set<string>();
  /** Why nothing is varied here, if that is so. */
  off: Reason | null = null;
  /** Whether many data are within: each variant is then much to execute. */
  private holdsData = false;
  /** Whether a step has many units: each variant is then so many lanes. */
  isOfMany = false;

  constructor(
    readonly name: string,
    /** Null for states of a `foldData`, of which all choices are tried or none. */
    private readonly budget: LaneBudget | null,
    /** `changing` throws where it must stay as it is. */
    private readonly events: { changing(): void; changed(): void },
  ) {}

  get isBudgeted(): boolean {
    return this.budget !== null;
  }

  get count(): number {
    return this.off === null ? this.variants.length : 1;
  }

  /** Another number when something was found that leaves variants as they are. */
  get mark(): number {
    const { refused, points, off, holdsData, isOfMany } = this;
    return refused.size + points.size + [off !== null, holdsData, isOfMany].filter(Boolean).length;
  }

  /** Whether a choice may be varied in this execution. */
  admits(how: Varying, key: string, { named }: Limit): boolean {
    if (this.off !== null || this.refusal(how, key) !== undefined) return false;
    if (this.budget === null || this.budget.admits(this, placeOf(how, key, named))) return true;
    // It is tried in the step's next execution, if there is room.
    this.events.changing();
    return false;
  }

  /** Why a choice is not varied, in words. */
  obstacle(key: string): string {
    return this.off?.text ?? this.refusal('turned', key) ?? this.refusal('valued', key) ?? TOO_MANY;
  }

  private refusal(how: Varying, key: string): string | undefined {
    return this.refused.get(placeOf(how, key, true)) ?? this.refused.get(placeOf(how, key, false));
  }

  /** So many data are within. */
  meetsData(length: number): void {
    if (this.holdsData || length < MANY_DATA) return;
    this.events.changing();
    this.holdsData = true;
    this.hasLessRoom();
  }

  /** A step has so many units; Infinity where they are data of data, whose number is not known. */
  isOf(units: number): void {
    if (this.isOfMany || units < MANY_DATA) return;
    this.events.changing();
    this.isOfMany = true;
    this.hasLessRoom();
  }

  /** Where there are more variants than pay, they are found again. */
  private hasLessRoom(): void {
    this.started = ONE_VARIANT;
    const hadMany = this.count > this.few;
    if (hadMany) this.variants = ONE_VARIANT;
    if (this.budget?.reset() || hadMany) this.startAgain();
  }

  /**
   * The most variants for choices that name no rule. Where all values of all choices are tried, nothing of them is left to chance, which is worth
   * more lanes than trying some of them.
   */
  get few(): number {
    if (this.holdsData) return FEW_EXECUTIONS;
    const isSmall = this.budget === null || !(this.isOfMany || this.budget.isRestricted);
    return isSmall ? MOST_VARIANTS : FEW_VARIANTS;
  }

  /** Varies nothing any more, and starts again. */
  turnOff(reason: Reason): never {
    this.events.changing();
    this.off = reason;
    this.budget?.reset();
    return this.startAgain();
  }

  /**
   * Adds values for choices that variants, by number, say nothing of. Starts again, unless the choices are refused.
   */
  grow(missing: ReadonlyMap<number, ReadonlySet<string>>, count: number, limit: Limit): void {
    this.events.changing();
    const all = withTwins(this.variants, missing);
    const keys = new Set([...missing.values()].flatMap((each) => [...each]));
    if (grownCount(this.variants, all, count) > this.most(limit)) this.exceeded('valued', keys, limit);
    else this.replace(grown(this.variants, all, count), keys, limit);
  }

  /** Adds variants in which a choice has the other value. Starts again, unless the choices are refused. */
  turn(keys: ReadonlySet<string>, limit: Limit): void {
    this.events.changing();
    const executions = this.variants.filter(({ turned }) => turned === undefined);
    if (this.variants.length + keys.size * executions.length > this.most(limit)) {
      this.exceeded('turned', keys, limit);
      return;
    }
    const twins = [...keys].flatMap((turned) => executions.map(({ places }) => ({ places, turned })));
    this.replace([...this.variants, ...twins], keys, limit);
  }

  /** The most variants, whichever choice is met first: choices that have not named it want few. */
  private most({ most }: Limit): number {
    return this.unnamed.length > 0 ? Math.min(this.few, most) : most;
  }

  hasTurned(key: string): boolean {
    return this.variants.some(({ turned }) => turned === key);
  }

  private exceeded(how: Varying, keys: ReadonlySet<string>, { named }: Limit): void {
    const places = new Set([...keys].map((key) => placeOf(how, key, named)));
    if (this.budget === null || this.budget.isAlone(this, places)) {
      for (const place of places) this.refused.set(place, TOO_MANY);
      if (this.withoutRefused()) this.startAgain();
    } else {
      this.budget.exceeded();
      this.startAgain();
    }
  }

  /** A choice has values of other kinds each time. Starts again if it was varied before. */
  refuseOthers(how: Varying, key: string): void {
    this.events.changing();
    this.refused.set(this.placeIn(how, key), OTHER_VALUES);
    const wasReset = this.budget?.reset() ?? false;
    if (this.withoutRefused() || wasReset) this.startAgain();
  }

  /** Choices that have not named it are not varied any more; whether there were any. */
  refuseUnnamed(why: string): boolean {
    const points = this.unnamed;
    if (this.off !== null || points.length === 0) return false;
    for (const point of points) for (const how of VARYING) this.refused.set(`${how} ${point}`, why);
    this.budget?.reset();
    this.withoutRefused();
    this.events.changed();
    return true;
  }

  /** A place is not varied: there would be too many variants, with others. */
  refusePlace(place: string): void {
    this.refused.set(place, TOO_MANY_TOGETHER);
  }

  /** What was refused for want of room may be tried again. */
  makeRoom(): void {
    for (const [place, why] of this.refused) if (why === TOO_MANY_TOGETHER) this.refused.delete(place);
  }

  /** Whether a place is still to be varied. */
  isOpen(place: string): boolean {
    return this.off === null && !this.refused.has(place);
  }

  /** A step begins. */
  begin(): void {
    this.started = this.variants;
  }

  /** The variants with which the step began, as far as they are of these places. */
  backTo(isKept: (place: string) => boolean): void {
    const ofKey = (how: Varying, key: string): boolean => isKept(this.placeIn(how, key));
    this.variants = reduced(this.started, ofKey);
  }

  /** Points of choices that are varied without having named it. */
  private get unnamed(): string[] {
    return [...this.places()].flatMap((place) => pointIn(place) ?? []);
  }

  /** The places that variants have values of. */
  places(): Set<string> {
    const all = new Set<string>();
    for (const { places, turned } of this.variants) {
      for (const key of places.keys()) all.add(this.placeIn('valued', key));
      if (turned !== undefined) all.add(this.placeIn('turned', turned));
    }
    return all;
  }

  private placeIn(how: Varying, key: string): string {
    return placeOf(how, key, !this.points.has(pointOf(key)));
  }

  /** Leaves variants out that refused choices alone have led to; whether there were any. */
  private withoutRefused(): boolean {
    const kept = reduced(this.variants, (how, key) => this.refusal(how, key) === undefined);
    if (kept.length === this.variants.length) return false;
    this.variants = kept;
    return true;
  }

  private replace(variants: readonly Variant[], keys: ReadonlySet<string>, { named }: Limit): void {
    if (!named) for (const key of keys) this.points.add(pointOf(key));
    this.variants = variants;
    this.startAgain();
  }

  private startAgain(): never {
    this.events.changed();
    throw new Revaried();
  }

  /** As numbers by name, for a checkpoint. */
  *save(): Iterable<[string, number]> {
    if (this.off !== null) yield ['off', 1];
    if (this.holdsData) yield ['data', 1];
    for (const [place, why] of this.refused) yield [`refused ${place}`, REASONS.indexOf(why)];
    for (const point of this.points) yield [`unnamed ${point}`, 1];
    const chosen = this.budget?.chosenOf(this);
    if (chosen !== undefined) yield [CHOSEN, 1];
    for (const place of chosen ?? []) yield [`${CHOSEN} ${place}`, 1];
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
      else if (name.startsWith('unnamed ')) this.points.add(name.slice('unnamed '.length));
      else if (name === CHOSEN) this.budget?.restore(this, null);
      else if (name.startsWith(CHOSEN)) this.budget?.restore(this, name.slice(CHOSEN.length + 1));
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
const TOO_MANY_TOGETHER = 'there would be too many, with those of other choices';
/** Choices that have other values each time. */
const OTHER_VALUES = 'they are others each time';
export const IMPOSSIBLE = 'one of them is impossible, or leads to what is, and was not drawn';
const CHOSEN = 'chosen';
/** In a checkpoint they are numbers. */
const REASONS = [TOO_MANY, OTHER_VALUES, IMPOSSIBLE, TOO_MANY_TOGETHER];
