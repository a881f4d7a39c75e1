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

/** Says once for each parameter that its gradient is zero: nearly always a mistake in the program. */
export class GradientChecks {
  private readonly told = new Set<string>();

  constructor(private readonly wanted: boolean) {}

  check(gradients: Gradients): void {
    if (!this.wanted) return;
    for (const [name, gradient] of gradients) {
      if (this.told.has(name) || !gradient.every((g) => g === 0)) continue;
      this.told.add(name);
      machine.run.warn(`The gradient of the parameter '${name}' is zero: the objective may not depend on it.`);
    }
  }
}
