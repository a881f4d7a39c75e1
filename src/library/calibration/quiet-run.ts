/**
 * Many inferences that report as one: with one progress bar, and each advice given once, with the number of inferences that
 * gave it.
 */
import { during, machine, type Progress } from '../../runtime/machine.ts';

/** Milliseconds before progress is shown. */
const PATIENCE = 200;

/** The most pieces of advice that are given. They are the same if they differ in numbers alone. */
const MOST_ADVICE = 3;

/** Advice that fewer inferences give is chance: one trajectory of thousands diverges now and then. */
const OFTEN = 0.05;

export class ManyInferences {
  private readonly began = performance.now();
  private readonly outer = machine.run;
  private progress: Progress | null = null;
  private done = 0;
  /** By its text without numbers: the first one, and how many there were. */
  private readonly advice = new Map<string, { readonly text: string; times: number }>();

  constructor(
    private readonly label: string,
    private readonly total: number,
  ) {}

  /** Runs one inference; gives its result, and the advice that it gave. */
  one<R>(work: () => R): { readonly result: R; readonly advice: readonly string[] } {
    const update = (): void => this.report();
    const advice: string[] = [];
    const run = {
      ...this.outer,
      output: machine.run.output.bind(machine.run),
      progress: () => ({ update, finish() {} }),
      warn: (text: string) => void advice.push(text),
    };
    const result = during({ run }, work);
    this.done++;
    this.report();
    return { result, advice };
  }

  /** Keeps a piece of advice for the end. */
  note(text: string): void {
    const key = text.replace(/\d[\d.,]*/g, '#');
    const known = this.advice.get(key);
    if (known === undefined) this.advice.set(key, { text, times: 1 });
    else known.times++;
  }

  /** Functions that follow the run may end it here. */
  private report(): void {
    if (this.progress === null && performance.now() - this.began < PATIENCE) return;
    this.progress ??= this.outer.progress(this.label);
    this.progress.update(this.done, this.total);
  }

  finish(): void {
    this.progress?.finish();
    const often = [...this.advice.values()].filter(({ times }) => times >= OFTEN * this.total);
    const all = often.sort((a, b) => b.times - a.times);
    for (const { text, times } of all.slice(0, MOST_ADVICE)) {
      this.outer.warn(`${this.label}, in ${times} of ${this.total} simulations: ${text}`);
    }
  }
}
