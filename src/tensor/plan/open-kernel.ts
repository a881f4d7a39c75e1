/** A fused kernel over lanes that each run of a plan finds anew (`partition.ts`). */
import type { Cleared, KernelStep } from './kernel-step.ts';
import type { OpenLanes } from './open-calls.ts';
import type { Value } from './program.ts';
import type { Walk } from './walk.ts';

export class OpenKernel {
  readonly kind = 'call';
  call: () => void = () => {};
  /** Writes the step into a walk. */
  write: (walk: Walk) => void = () => {};

  constructor(
    private readonly step: KernelStep,
    private readonly lanes: OpenLanes,
  ) {}

  /** Once the tables of the kernel are written; `sizes` says how many lanes there may be. */
  prepare(sizes: readonly number[], addressOf: (value: Value) => number): void {
    const { step } = this;
    const { counts } = this.lanes;
    const { kernel, tables, space } = step;
    const [table] = tables;
    const cleared = step.cleared(sizes, addressOf);
    const clear = (): void => {
      for (const { view, number, from, to } of cleared) view.fill(number, from, to);
    };
    if (step.lengthOfLanes() === undefined) {
      const each = tables.length / sizes[space];
      this.call = () => {
        const active = each * counts[space];
        if (active === 0) clear();
        for (let k = 0; k < active; k++) kernel(tables[k]);
      };
      const { call } = this;
      this.write = (walk) => walk.host(call);
    } else if (cleared.length === 0) {
      this.call = () => {
        if (counts[space] !== 0) kernel(table);
      };
      this.write = (walk) => walk.when(space, () => walk.call(kernel, [table]));
    } else {
      this.call = () => {
        if (counts[space] === 0) clear();
        else kernel(table);
      };
      this.write = (walk) =>
        walk.when(
          space,
          () => walk.call(kernel, [table]),
          () => writeCleared(walk, cleared, clear),
        );
    }
  }
}

function writeCleared(walk: Walk, cleared: readonly Cleared[], clear: () => void): void {
  if (cleared.some(({ number }) => number !== 0)) walk.host(clear);
  else
    for (const { view, from, to } of cleared)
      walk.clear(from * view.BYTES_PER_ELEMENT, (to - from) * view.BYTES_PER_ELEMENT);
}
