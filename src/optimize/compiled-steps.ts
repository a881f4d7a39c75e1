import type { Rerun } from '../lanes/rerun.ts';
import type { Data } from '../tensor/node.ts';
import type { CompiledStep, StepValues } from './compiled-step.ts';
import type { StepDraws } from './step-draws.ts';

/** How many ways through the program are kept. */
const MOST_WAYS = 4;
/** A step that takes a way which is not kept costs two; one that takes a kept way, and depends on what the program sees, earns one. */
const PATIENCE = 6;
/** A value that was looked at, as text: −0 is not 0. */
const wayText = (expected: number | Data): string =>
  Array.from(typeof expected === 'number' ? [expected] : expected, (x) => (Object.is(x, -0) ? '-0' : x)).join();
/** Where the program looks at so few values, there are few ways. */
const FEW_GUARDS = 8;

/**
 * The steps of an optimisation that have been compiled. Where the program looks at values there may be several, one for
 * each way it takes, as long as it does not take a new one all the time.
 */
export class CompiledSteps {
  private readonly ways: CompiledStep[] = [];
  private patience = PATIENCE;
  /** The step that was tried last time, and whether it can be repeated. */
  private last: CompiledStep | null = null;
  private repeats = false;
  /** The one for all ways that lanes took. */
  private open: CompiledStep | null = null;
  /** Values that the program looked at on ways that were not compiled. */
  private readonly seen = new Set<string>();

  /** Whether recordings may look at values. */
  get guarding(): boolean {
    return this.patience > 0;
  }

  /**
   * Whether to compile what was recorded. A way that depends on many values is compiled when it is taken for the second
   * time: programs that take a new one in every step would do nothing but compile.
   */
  isWorthwhile({ guards }: Rerun): boolean {
    if (guards.length <= FEW_GUARDS) return true;
    const way = guards.map(({ expected }) => wayText(expected)).join(' ');
    if (this.seen.has(way)) return true;
    this.seen.add(way);
    this.patience--;
    return false;
  }

  /** Runs the step that was run last once more, if it depends on nothing but the parameters; undefined if it has to be attempted. */
  repeat(): ReturnType<CompiledSteps['attempt']> {
    const [step] = this.ways;
    if (step === undefined || this.open !== null) return undefined;
    if (step !== this.last) {
      this.last = step;
      this.repeats = step.isFunctionOfParameters;
      // It has to be run once before it can be repeated.
      return undefined;
    }
    const values = this.repeats ? step.repeat() : undefined;
    return values && { step, values };
  }

  add(step: CompiledStep): void {
    if (step.rerun.isOpen) {
      this.open = step;
      return;
    }
    this.ways.unshift(step);
    this.ways.length = Math.min(this.ways.length, MOST_WAYS);
  }

  clear(): void {
    this.open = null;
    this.ways.length = 0;
  }

  /** Runs the step at hand by one of them; undefined if none fits. */
  attempt(draws: StepDraws): { readonly step: CompiledStep; readonly values: StepValues<number | Data> } | undefined {
    const values = this.open?.attempt(draws);
    if (values !== undefined) return { step: this.open!, values };
    for (const [i, step] of this.ways.entries()) {
      const values = step.attempt(draws);
      if (values === undefined) continue;
      this.ways.splice(i, 1);
      this.ways.unshift(step);
      if (step.isGuarded) this.patience = Math.min(PATIENCE, this.patience + 1);
      return { step, values };
    }
    if (this.ways.some((step) => step.isGuarded)) this.patience -= 2;
    // The others can do nothing but fail again.
    const guarded = this.guarding ? this.ways.filter((step) => step.isGuarded) : [];
    this.ways.splice(0, this.ways.length, ...guarded);
    return undefined;
  }
}
