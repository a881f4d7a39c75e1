/** The values of choices that an optimisation tries side by side: a plan for its executions, and one for the data of each pass. */
import type { Address } from '../runtime/address.ts';
import type { Reason } from '../runtime/reasons.ts';
import { forAWhile } from '../tensor/mode.ts';
import { LaneBudget } from './lane-budget.ts';
import { NOTHING_SUMMED, Revaried, VariationPlan } from './variation-plan.ts';

/** The variants of an optimisation: of its executions, and of the data of each pass. */
export class Variations {
  private readonly plans = new Map<string, VariationPlan>();
  private readonly byAddress = new Map<Address, VariationPlan>();
  /** Counts how often variants have changed. */
  version = 0;
  /** True while executions are recorded beside a step: what they come to, the step may never come to. */
  private readonly mode = { kept: false };
  private readonly budget = new LaneBudget(() => [...this.plans.values()].filter((plan) => plan.isBudgeted));

  /** Another number whenever something was found out. */
  get mark(): number {
    let { version } = this;
    for (const { mark } of this.plans.values()) version += mark;
    return version;
  }

  /** What was tried when it was last asked, and the mark then. */
  private asked: { readonly mark: number; readonly places: readonly string[] } = { mark: 0, places: [] };

  /** Whether values of a choice are no longer tried that were when this was last asked: steps compiled before still do. */
  haveFewer(): boolean {
    const { mark, asked } = this;
    if (mark === asked.mark) return false;
    const places = [...this.plans.values()].flatMap((plan) =>
      plan.off === null ? [...plan.places()].map((place) => `${plan.name}|${place}`) : [],
    );
    const still = new Set(places);
    this.asked = { mark, places };
    return !asked.places.every((place) => still.has(place));
  }

  /** A step begins. */
  begin(): void {
    this.budget.begin();
  }

  /** Nothing changes in the course of it: where something would have to, `Revaried` is thrown. */
  keeping<T>(work: () => T): T {
    return forAWhile(this.mode, { kept: true }, work);
  }

  /** An execution of the step has ended. Whether more choices are to be tried: then the step starts again. */
  goesOn(): boolean {
    const isMore = this.budget.goesOn();
    if (isMore) this.version++;
    return isMore;
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

  /** In a unit there are data, of which a step looks at so many. */
  meets(
    unit: { readonly isDatum: boolean; readonly plan: VariationPlan } | null,
    length: number,
    chosen: number,
    pass: Address,
  ): void {
    const around = unit?.isDatum === false ? unit.plan : undefined;
    around?.meetsData(length);
    this.at(pass).isOf(around === undefined ? Infinity : chosen);
  }

  /** Of the states of a `foldData`. */
  ofStates(fold: Address): VariationPlan {
    return this.at(fold.at(STATES));
  }

  private plan(name: string): VariationPlan {
    let plan = this.plans.get(name);
    if (plan === undefined) {
      const budget = name.endsWith(`/${STATES}`) ? null : this.budget;
      plan = new VariationPlan(name, budget, {
        changing: () => {
          if (this.mode.kept) throw new Revaried();
        },
        changed: () => {
          this.version++;
          this.budget.startsAgain();
        },
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
const STATES = 'states';
