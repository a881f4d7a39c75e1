import type { Program, Value } from './program.ts';

/** Numbers the slots of a plan of scalars: its inputs, and then whatever else needs one, in the order of asking. */
export class Slots {
  private readonly known = new Map<Value, number>();
  /** Slots so far. */
  count: number;

  constructor(program: Program, inputs: number) {
    for (const value of program.values) if (value.source?.kind === 'input') this.known.set(value, value.source.index);
    this.count = inputs;
  }

  of(value: Value): number {
    let slot = this.known.get(value);
    if (slot === undefined) {
      slot = this.count++;
      this.known.set(value, slot);
    }
    return slot;
  }
}
