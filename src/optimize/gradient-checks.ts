import { machine } from '../runtime/machine.ts';
import { BadStep } from './bad-terms.ts';

type Gradients = ReadonlyMap<string, Float64Array>;

/** A gradient that is not finite would spoil its parameter for good, so its step is a bad one. */
export function checkFinite(gradients: Gradients): void {
  for (const [name, gradient] of gradients) {
    // What is not finite makes the sum NaN, and looking at each element would be slower.
    let sum = 0;
    for (let i = 0; i < gradient.length; i++) sum += gradient[i] * 0;
    if (sum === 0) continue;
    throw new BadStep(
      `The gradient of the parameter '${name}' is not finite, though the objective is: the model or a guide does ` +
        'something at the edge of its domain (the square root or the logarithm of 0, say). A smaller stepSize may help.',
    );
  }
}

/** How many steps in a row are no accident. */
const ENOUGH = 10;

/**
 * Says once of a parameter that its gradient is zero from the first step on: nearly always a mistake in the program. One
 * that becomes zero later has found its optimum.
 */
export class GradientChecks {
  /** How often parameters have been met whose gradient was never anything else. */
  private readonly zeros = new Map<string, number>();
  private readonly settled = new Set<string>();

  constructor(private readonly wanted: boolean) {}

  check(gradients: Gradients): void {
    if (!this.wanted) return;
    for (const [name, gradient] of gradients) {
      if (this.settled.has(name)) continue;
      if (gradient.every((g) => g === 0)) {
        const times = (this.zeros.get(name) ?? 0) + 1;
        this.zeros.set(name, times);
        if (times < ENOUGH) continue;
        this.tell(name);
      }
      this.settled.add(name);
      this.zeros.delete(name);
    }
  }

  /** After the last step, which may have come before it was certain. */
  end(): void {
    for (const name of this.zeros.keys()) this.tell(name);
  }

  private tell(name: string): void {
    machine.run.warn(`The gradient of the parameter '${name}' is zero: the objective may not depend on it.`);
  }
}
