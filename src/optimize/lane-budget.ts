/**
 * Which choices have their values tried, where there is room for some of them only. That is decided by what an execution of
 * the step would be, and never by the order in which data or lanes come to their choices.
 *
 * As long as there is room for all, all are tried. If not, the step is executed with none, and then with one more each time:
 * first those that name the rule, then the others in the order of the program's text. A choice for which there is no room is
 * refused. Whether there is room does not depend on the order, since every choice that was accepted stays. What was refused
 * is tried again when another choice is given up.
 */

/** The variants of one place, as far as they share lanes with others. */
interface BudgetedPlan {
  readonly name: string;
  /** The places that it has values of. */
  places(): ReadonlySet<string>;
  isOpen(place: string): boolean;
  /** There is no room for a place beside others. */
  refusePlace(place: string): void;
  makeRoom(): void;
  begin(): void;
  /** Back to what the step began with, of the places that are kept. */
  backTo(isKept: (place: string) => boolean): void;
}

interface Candidate {
  readonly plan: BudgetedPlan;
  readonly place: string;
}

export class LaneBudget {
  /** Null as long as there is room for all. */
  private chosen: Map<string, Candidate> | null = null;
  /** The last of them, if it is not known yet whether there is room. */
  private trial: Candidate | null = null;
  /** Those that were tried before there were too many, and that are to be tried again. */
  private readonly waiting = new Map<string, Candidate>();
  /** Those that this execution of the step has met and not tried. */
  private readonly met = new Map<string, Candidate>();

  constructor(private readonly plans: () => Iterable<BudgetedPlan>) {}

  /** Whether there is not room for all. */
  get isRestricted(): boolean {
    return this.chosen !== null;
  }

  /** A step begins. */
  begin(): void {
    this.trial = null;
    this.waiting.clear();
    this.startsAgain();
    for (const plan of this.plans()) plan.begin();
  }

  /** The step starts again: in part it was executed with other variants. */
  startsAgain(): void {
    this.met.clear();
  }

  /** Whether a choice is tried in this execution. */
  admits(plan: BudgetedPlan, place: string): boolean {
    const candidate = { plan, place };
    const name = nameOf(candidate);
    if (this.chosen === null || this.chosen.has(name)) return true;
    this.met.set(name, candidate);
    return false;
  }

  /** Whether these places alone have led to too many lanes: then there is no room for them beside any others. */
  isAlone(plan: BudgetedPlan, places: ReadonlySet<string>): boolean {
    if (this.chosen !== null) return false;
    for (const one of this.plans())
      for (const place of one.places()) if (one !== plan || !places.has(place)) return false;
    return true;
  }

  /** There is no room for all that are tried: they become others, and the step has to start again. */
  exceeded(): void {
    const { trial, chosen } = this;
    if (trial !== null && chosen !== null) {
      chosen.delete(nameOf(trial));
      // (Alone it may have had room for more variants.)
      trial.plan.refusePlace(trial.place);
    } else {
      const tried = [...this.plans()].flatMap((plan) => [...plan.places()].map((place) => ({ plan, place })));
      this.waiting.clear();
      for (const one of tried) this.waiting.set(nameOf(one), one);
      this.chosen = new Map();
    }
    this.trial = null;
    this.restrict();
  }

  /** An execution of the step has ended. Whether something more is to be tried: then the step starts again. */
  goesOn(): boolean {
    this.trial = null;
    if (this.chosen === null) return false;
    const open = [...this.waiting.values(), ...this.met.values()].filter(
      (one) => one.plan.isOpen(one.place) && !this.chosen!.has(nameOf(one)),
    );
    if (open.length === 0) return false;
    const next = open.reduce((first, one) => (isBefore(one, first) ? one : first));
    this.chosen.set(nameOf(next), next);
    this.trial = next;
    this.restrict();
    return true;
  }

  /** Something is not tried any more, for another reason: there may be room again. Whether that makes a difference. */
  reset(): boolean {
    if (this.chosen === null) return false;
    this.chosen = null;
    this.trial = null;
    this.waiting.clear();
    for (const plan of this.plans()) plan.makeRoom();
    this.restrict();
    return true;
  }

  private restrict(): void {
    const { chosen } = this;
    this.startsAgain();
    for (const plan of this.plans()) {
      plan.backTo((place) => plan.isOpen(place) && (chosen === null || chosen.has(nameOf({ plan, place }))));
    }
  }

  /** The places of a plan that are tried, for a checkpoint; undefined where all are. */
  chosenOf(plan: BudgetedPlan): readonly string[] | undefined {
    if (this.chosen === null) return undefined;
    return [...this.chosen.values()].filter((one) => one.plan === plan).map(({ place }) => place);
  }

  restore(plan: BudgetedPlan, place: string | null): void {
    this.chosen ??= new Map();
    if (place !== null) this.chosen.set(nameOf({ plan, place }), { plan, place });
  }
}

const nameOf = ({ plan, place }: Candidate): string => `${plan.name}|${place}`;

/** Choices that name the rule come first, then those whose values are all tried, then what stands first in the program. */
function isBefore(a: Candidate, b: Candidate): boolean {
  const [one, other] = [a, b].map(({ plan, place }) => {
    const [how, ...rest] = place.split(' ');
    return [rest.length - 1, how === 'valued' ? 0 : 1, ...partsOf(plan.name), ...partsOf(rest.join(' '))];
  });
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [mine, theirs] = [one[i] ?? -1, other[i] ?? -1];
    if (mine === theirs) continue;
    return typeof mine === typeof theirs ? mine < theirs : typeof mine === 'number';
  }
  return false;
}

/** Numbers as numbers, so that the tenth call is not before the second. */
const partsOf = (text: string): (number | string)[] =>
  (text.match(/\d+|\D+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part));
