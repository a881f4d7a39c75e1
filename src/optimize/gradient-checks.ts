import { machine } from '../runtime/machine.ts';

/** Says once for each parameter that its gradient is zero or no number: nearly always a mistake in the program. */
export class GradientChecks {
  private readonly told = new Set<string>();

  constructor(private readonly wanted: boolean) {}

  check(gradients: ReadonlyMap<string, Float64Array>): void {
    if (!this.wanted) return;
    for (const [name, gradient] of gradients) {
      if (this.told.has(name)) continue;
      if (gradient.every((g) => g === 0)) this.tell(name, 'is zero: the objective may not depend on it');
      else if (!gradient.every(Number.isFinite))
        this.tell(name, 'is not finite: a smaller stepSize, or clip, may help');
    }
  }

  private tell(name: string, what: string): void {
    this.told.add(name);
    machine.run.warn(`The gradient of the parameter '${name}' ${what}.`);
  }
}
