/** Executions of a step of an objective: one after the other, or side by side. */
import type { Model } from '../inference/algorithm.ts';
import type { Rerun } from '../lanes/rerun.ts';
import type { Entry } from '../runtime/execution.ts';
import { during, machine, type Run } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import { forAWhile } from '../tensor/mode.ts';
import { endedBy } from './ended-ways.ts';
import { GuidedExecution } from './guided-execution.ts';
import { NotOpen, notOpen } from './open-steps.ts';
import type { Strand } from './record.ts';
import type { StepContext } from './step-context.ts';
import { Revaried } from './variation-plan.ts';

/** Executes the model of an optimisation. */
export class Executions {
  constructor(
    private readonly model: Model<unknown>,
    private readonly entry: Entry,
    /** The stream of the k-th execution of the step. */
    private readonly streamOf: (k: number) => RandomStream,
    private readonly rerun: Rerun | null,
  ) {}

  /**
   * The k-th execution: a strand, or several where values of choices are tried side by side. If a data pass turns out not to work
   * side by side, again, with that one run one by one.
   */
  one(k: number, context: StepContext): Strand[] {
    const plan = context.found.variations.at(null);
    if (plan.count > 1) {
      const found = this.sideBySide([k], context);
      if (!(found instanceof Reason)) return found;
      // (Perhaps in another way, such as each side of a condition for those that take it.)
      if (context.found.disagreements.failed(this.entry.address, found)) throw new Revaried();
      return plan.turnOff(found);
    }
    for (let known = context.refusals; ; known = context.refusals) {
      const execution = new GuidedExecution(context, k);
      try {
        this.recorded(() => this.entry.execute(execution, this.model, this.root(k)));
        return [execution.root];
      } catch (thrown) {
        if (!(thrown instanceof OneByOne) || thrown instanceof Revaried) throw thrown;
        // If nothing has been learned by the attempt, the next one would end in the same way, for ever.
        if (context.refusals === known) throw thrown.asError();
        this.rerun?.obstruct('courses', 'a data pass turned out not to work side by side');
      }
    }
  }

  /**
   * The first so many executions, side by side: a strand for each group whose course is the same. If that does not work,
   * gives the reason, or undefined if there is another way to try; what was recorded so far must then be discarded.
   */
  together(count: number, context: StepContext): Strand[] | Reason | undefined {
    try {
      const numbers = Array.from({ length: count }, (_, k) => k);
      const found = this.sideBySide(numbers, context);
      if (!(found instanceof Reason)) return found;
      return context.found.disagreements.failed(this.entry.address, found) ? undefined : found;
    } catch (thrown) {
      if (thrown instanceof Revaried) return undefined;
      throw thrown;
    }
  }

  /** The first so many executions, recorded with open lanes, or one outside all lanes; throws if that does not work. */
  open(count: number | 'one outside', context: StepContext): Strand[] {
    // (Values that are tried in it are lanes.)
    const varies = context.found.variations.at(null).count > 1;
    if (varies || count !== 'one outside') {
      const numbers = Array.from({ length: count === 'one outside' ? 1 : count }, (_, k) => k);
      const found = this.sideBySide(numbers, context);
      if (found instanceof Reason) throw new NotOpen(found);
      return found;
    }
    const execution = new GuidedExecution(context, 0);
    this.recorded(() => this.entry.execute(execution, this.model, this.root(0)));
    return [execution.root];
  }

  /** These executions, and for each of them the values of its choices that are tried; or why that does not work. */
  private sideBySide(numbers: readonly number[], context: StepContext): Strand[] | Reason {
    const execution = new GuidedExecution(context);
    let strands: Strand[] = [];
    const work = (): void => {
      strands = execution.executions(this.model, numbers, (k) => this.root(k));
    };
    try {
      this.recorded(() => this.entry.execute(execution, work, this.streamOf(numbers[0]).again()));
      return strands;
    } catch (thrown) {
      if (thrown instanceof Revaried) throw thrown;
      if (this.rerun?.isOpen) throw notOpen(thrown);
      // Values that are tried may be such as never come.
      return endedBy(thrown, context.found.variations.at(null).count > 1);
    }
  }

  private root(k: number): RandomStream {
    const root = this.streamOf(k).again();
    this.rerun?.execution(root, k);
    return root;
  }

  /** Runs something of which is noted what it takes to run it again. */
  private recorded(work: () => void): void {
    const { rerun } = this;
    if (rerun === null) {
      during({ rerun, observer: null }, work);
      return;
    }
    const { run } = machine;
    const print = run.output;
    const output: Run['output'] = (value, text) => {
      // A recording with open lanes is made beside the step, and must leave nothing behind.
      if (rerun.isOpen) throw new NotOpen(new Reason('output', 'it prints'));
      rerun.obstruct('output', 'it prints');
      print.call(run, value, text);
    };
    // (The run itself is changed and not copied, since other modules keep facts about it in maps.)
    forAWhile(run, { output }, () => during({ rerun, observer: (node) => rerun.lookedAt(node) }, work));
  }
}
