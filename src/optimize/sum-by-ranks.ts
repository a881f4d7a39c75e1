/**
 * How ranks divide a sum of objectives: each part as it would be divided alone. A part that cannot be divided is computed by all ranks, and
 * counts for each of them as one of so many.
 */
import type { Team } from '../runtime/team.ts';
import type { StepDivision } from './division.ts';
import type { Estimate, Steps } from './estimator.ts';
import type { StepAverages } from './shared-baselines.ts';

type Together = NonNullable<Steps['together']>;

class SumDivision implements StepDivision {
  readonly team: Team;
  /** The executions of the parts are divided by the parts themselves. */
  readonly executions = { first: 0, count: 1 };
  /** How parts were divided when the step began. */
  private before: readonly StepDivision['mode'][] = [];

  constructor(private readonly parts: readonly StepDivision[]) {
    this.team = parts[0].team;
  }

  /** Nothing, if no part is divided. */
  get mode(): StepDivision['mode'] {
    return this.parts.every(({ mode }) => mode === 'nothing') ? 'nothing' : 'data';
  }

  set mode(mode: StepDivision['mode']) {
    for (const part of this.parts) part.mode = mode;
  }

  get passes(): number {
    return this.parts.reduce((sum, { passes }) => sum + passes, 0);
  }

  /** Set where a step begins. */
  set passes(passes: number) {
    this.before = this.parts.map(({ mode }) => mode);
    for (const part of this.parts) part.passes = passes;
  }

  /** Parts are weighed before they are added. */
  get weight(): number {
    return this.mode === 'nothing' ? 1 / this.team.size : 1;
  }

  get holdsShards(): boolean {
    return this.parts.some(({ holdsShards }) => holdsShards);
  }

  undivided<R>(work: () => R): R {
    return this.parts.reduce<() => R>((inner, part) => () => part.undivided(inner), work)();
  }

  leaveData(): void {
    // (In this step a part may have found out that it has data to divide.)
    this.parts.forEach((part, i) => {
      if (this.before[i] === 'data' && part.passes === 0) part.leaveData();
    });
  }
}

/** Averages of all parts, under names that begin with the number of their part. */
class SumAverages implements StepAverages {
  constructor(private readonly parts: readonly StepAverages[]) {}

  get room(): number {
    return this.parts.reduce((sum, { room }) => sum + room, 0);
  }

  fresh(): string[] {
    return this.parts.flatMap((part, i) => part.fresh().map((name) => `${i} ${name}`));
  }

  add(names: readonly string[]): void {
    this.parts.forEach((part, i) => {
      const start = `${i} `;
      part.add(names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length)));
    });
  }

  write(into: Float64Array, at: number): void {
    this.each(at, (part, from) => part.write(into, from));
  }

  forget(): void {
    for (const part of this.parts) part.forget();
  }

  learn(from: Float64Array, at: number): void {
    this.each(at, (part, place) => part.learn(from, place));
  }

  private each(at: number, work: (part: StepAverages, at: number) => void): void {
    let place = at;
    for (const part of this.parts) {
      work(part, place);
      place += part.room;
    }
  }
}

/** What ranks need to make steps of a sum together; `last` are the latest estimates of its parts. */
export function sumTogether(parts: readonly Together[], last: readonly (Estimate | undefined)[]): Together {
  const each = (work: (part: Together, estimate: Estimate) => void): void =>
    parts.forEach((part, i) => {
      const estimate = last[i];
      if (estimate !== undefined) work(part, estimate);
    });
  return {
    division: new SumDivision(parts.map(({ division }) => division)),
    averages: new SumAverages(parts.map(({ averages }) => averages)),
    learn: () => each((part, estimate) => part.learn(estimate)),
    note: () => each((part, estimate) => part.note(estimate)),
    findings: {
      get areNew() {
        return parts.some(({ findings }) => findings.areNew);
      },
      agree: () => {
        for (const { findings } of parts) findings.agree();
      },
      goBack: () => {
        for (const { findings } of parts) findings.goBack();
      },
    },
  };
}
