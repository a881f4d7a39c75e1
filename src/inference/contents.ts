/**
 * When results may be recalled, and by which values. What was found for some values is found again for values of the same
 * contents (`runtime/likeness.ts`), and may then hold the objects of the first time. That matters to programs that compare
 * such objects with `===`, which are few: the first time one does, the inference at top level begins again, and from
 * then on values are the same only if they are the same object.
 */
import { Likeness } from '../runtime/likeness.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { beginAgain } from '../runtime/signals.ts';
import { isObject } from '../runtime/values.ts';
import { holdsTwice, type Taken } from './recalled-objects.ts';

/** Parts of values that are kept to compare others with; beyond, everything is forgotten. */
const MOST_PARTS = 400_000;
/** How often that may happen before contents are not compared any more: they are others all the time. */
const PATIENCE = 3;

/** Results of inferences and calls, kept as long as they are valid. */
class Kept {
  /** Inferences, by the kind of search and the text of the model (`recall.ts`). */
  readonly inferences = new Map<string, Map<string, unknown>>();
  /** Values in their results. */
  values = 0;
  /** Calls, by their function (`lasting-calls.ts`). */
  readonly calls = new Map<unknown, unknown>();
}

/** Everything is of the run that goes on: see `kept`. */
class Contents {
  /** How often objects of the same contents were compared. */
  comparisons = 0;
  private likeness = new Likeness();
  private found = new Kept();
  private run: unknown = null;
  private outermost = -1;
  private overflows = 0;
  /** Whether a result was taken that was found for other objects. */
  private tookOthers = false;
  /** Whether there is an inference at top level that can begin again. */
  private canBeginAgain = false;
  /** Whether it is to, as soon as it ends. */
  private beginsAgain = false;
  /** Whether it has, since objects were compared: from then on all are told apart that would be without recalling anything. */
  private tellsApart = false;
  /** Results with objects that were taken up since the inference at top level began. */
  private readonly taken = new Set<Taken>();
  /** Whether results with objects are copied when they are taken up: a value held one object where there would be two. */
  takesCopies = false;

  /** Under gradients and in lanes, values are not what they seem. */
  mayRecall(): boolean {
    if (machine.program.settled === 'never' || (machine.program.settled === 'inference' && runsDirectly()))
      return false;
    return machine.program.stateless && !machine.lifted && machine.lanes === null && machine.columns === null;
  }

  /**
   * The kept results; none where they may not be valid any more: in another run, or if the program may have gone on at top
   * level.
   */
  kept(): Kept {
    const isAnother = machine.program.settled === 'inference' && this.outermost !== machine.outermost;
    if (this.run !== machine.run) {
      this.run = machine.run;
      this.tookOthers = false;
      this.tellsApart = false;
      this.takesCopies = false;
      this.overflows = 0;
      this.forget();
    } else if (isAnother) {
      this.forget();
    } else if (this.likeness.size > MOST_PARTS) {
      this.overflows++;
      this.forget();
    }
    this.outermost = machine.outermost;
    return this.found;
  }

  private forget(): void {
    this.found = new Kept();
    this.likeness = new Likeness();
  }

  /** Whether values are compared by their contents now. */
  get areCompared(): boolean {
    return machine.program.comparesContents && this.canBeginAgain && this.overflows < PATIENCE;
  }

  /** What to compare values by. */
  likesOf(values: readonly unknown[]): readonly unknown[] {
    return this.areCompared ? values.map((value) => this.likeness.of(value)) : values;
  }

  likeOf(value: unknown): unknown {
    return this.likeness.of(value);
  }

  /** A result is taken that was found for values like these. */
  takes(values: readonly unknown[], likes: readonly unknown[]): void {
    if (this.tookOthers || likes === values) return;
    for (let i = 0; i < values.length; i++) {
      if (isObject(values[i]) && values[i] !== likes[i]) {
        this.tookOthers = true;
        return;
      }
    }
  }

  /** Whether a result may be taken that holds objects, which would be others if it were made again. */
  get mayTakeObjects(): boolean {
    return machine.program.comparesContents && this.canBeginAgain && !this.tellsApart;
  }

  /** A result is taken that is an object which would be another, if it were made again. */
  takesObject(taken: Taken): void {
    this.tookOthers = true;
    this.taken.add(taken);
  }

  /** How often anything was looked at that is neither a choice nor a variable. */
  lookedAt(): number {
    return MemoLayer.reads + ParameterTable.reads;
  }

  compare(a: unknown, b: unknown): void {
    if (a === null || b === null || (a !== b && this.likeness.of(a) !== this.likeness.of(b))) return;
    this.comparisons++;
    if (!this.tookOthers || !this.mayTakeObjects) return;
    this.beginsAgain = true;
    throw beginAgain;
  }

  /** Runs an inference, and if it is the one at top level runs it again where contents are not enough to compare. */
  beginningAgain<R>(infer: () => R): R {
    if (this.canBeginAgain || !machine.program.comparesContents || !runsDirectly()) return infer();
    const { stream, address } = machine;
    const { position } = stream;
    this.canBeginAgain = true;
    try {
      while (true) {
        this.beginsAgain = false;
        this.taken.clear();
        const result = this.first(infer);
        // (A host function may have caught what was thrown.)
        if (this.beginsAgain) {
          machine.program.comparesContents = false;
          this.tellsApart = true;
        } else if (!this.takesCopies && this.taken.size > 0 && holdsTwice(supportOf(result), this.taken)) {
          this.takesCopies = true;
        } else return result as R;
        this.tookOthers = false;
        this.forget();
        stream.goTo(position);
        machine.address = address;
      }
    } finally {
      this.canBeginAgain = false;
      this.taken.clear();
    }
  }

  /** The result of an inference, which may have to begin again. */
  private first<R>(infer: () => R): R | undefined {
    try {
      return infer();
    } catch (thrown) {
      if (thrown !== beginAgain) throw thrown;
      return undefined;
    }
  }
}

/** The values of what an inference gave. */
const supportOf = (result: unknown): readonly unknown[] =>
  (result as { support?(): readonly unknown[] } | undefined)?.support?.() ?? [];

export const contents = new Contents();

/** The program compares two values by `===` or the like. */
export function compared(a: unknown, b: unknown): void {
  contents.compare(a, b);
}
