import { machine } from '../runtime/machine.ts';
import { BadStep } from './bad-terms.ts';
import type { PackedParameters } from './packed-parameters.ts';

/** A gradient that is not finite would spoil its parameter for good, so its step is a bad one. */
export function badGradient(parameters: PackedParameters): BadStep {
  const culprit = parameters.culprit();
  if (culprit === undefined) {
    return new BadStep(
      'The gradients are so large that their norm is no finite number: the parameters have run away. ' +
        'A smaller stepSize, or clip, often helps.',
    );
  }
  return new BadStep(
    `The gradient of the parameter '${culprit}' is not finite, though the objective is: the model or a guide does ` +
      'something at the edge of its domain (the square root or the logarithm of 0, say). A smaller stepSize may help.',
  );
}

/** How many steps in a row are no accident. */
const ENOUGH = 10;
/** So many parameters have a line of their own. */
const MOST_NAMED = 4;

/**
 * Says once of a parameter that its gradient is zero from the first step on: nearly always a mistake in the program. One
 * that becomes zero later has found its optimum.
 */
export class GradientChecks {
  /** How often each parameter was met whose gradient has always been zero. */
  private readonly zeros = new Map<string, number>();
  private readonly settled = new Set<string>();
  /**
   * How many were named in warnings; and those that one warning after the last step names together, since each datum may have
   * parameters of its own.
   */
  private told = 0;
  private readonly untold: string[] = [];
  /** The parameters met last, if all of them are settled. */
  private nothingLeft: unknown = null;

  constructor(private readonly wanted: boolean) {}

  check(parameters: PackedParameters): void {
    const groups = parameters.met;
    if (!this.wanted || groups === this.nothingLeft) return;
    let left = 0;
    for (const { names } of groups) for (const name of names) if (!this.settle(name, parameters)) left++;
    if (left === 0) this.nothingLeft = groups;
  }

  /** After the last step, which may have come before it was certain. */
  end(): void {
    for (const name of this.zeros.keys()) this.tell(name);
    const { length } = this.untold;
    if (length === 0) return;
    const names = this.untold.slice(0, MOST_NAMED).map((name) => `'${name}'`);
    const others = length > MOST_NAMED ? `, and ${length - MOST_NAMED} more` : '';
    machine.run.warn(`So are those of other parameters: ${names.join(', ')}${others}.`);
  }

  private settle(name: string, parameters: PackedParameters): boolean {
    if (this.settled.has(name)) return true;
    if (parameters.gradientOf(name).every((g) => g === 0)) {
      const times = (this.zeros.get(name) ?? 0) + 1;
      this.zeros.set(name, times);
      if (times < ENOUGH) return false;
      this.tell(name);
    }
    this.settled.add(name);
    this.zeros.delete(name);
    return true;
  }

  private tell(name: string): void {
    if (++this.told > MOST_NAMED) {
      this.untold.push(name);
      return;
    }
    machine.run.warn(`The gradient of the parameter '${name}' is zero: the objective may not depend on it.`);
  }
}
