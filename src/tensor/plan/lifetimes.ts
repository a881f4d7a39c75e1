/** Which values must be in memory, and from which step to which. */
import type { Program, Value } from './program.ts';
import { rootOf, type Schedule, type Step } from './schedule.ts';

export interface ValueLifetime {
  readonly value: Value;
  /** The step that computes it (−1 for inputs), and the last one that reads it. */
  readonly from: number;
  readonly to: number;
}

interface Lifetimes {
  /** Values that are needed after the step that computes them. */
  readonly outside: ReadonlySet<Value>;
  /** Of all tensors that need memory in the arena. */
  readonly lifetimes: readonly ValueLifetime[];
}

export function findLifetimes(program: Program, { steps, stepOf }: Schedule): Lifetimes {
  const outside = new Set<Value>();
  const last = new Map<Value, number>();
  const use = (value: Value, step: number): void => {
    const root = rootOf(value);
    last.set(root, Math.max(last.get(root) ?? -1, step));
    if (root !== value || stepOf.get(root) !== step || !isRegister(steps[step], root)) outside.add(root);
  };
  for (const value of program.values) {
    if (value.source !== null || rootOf(value) !== value) continue;
    const step = stepOf.get(value) as number;
    for (const input of value.inputs) use(input, step);
    const at = steps[step];
    if (at.kind === 'single' || (at.kind === 'fused' && (at.reductions.includes(value) || at.rows.includes(value))))
      outside.add(value);
  }
  for (const value of [...program.outputs, ...(program.checks ?? []).map(({ wrong }) => wrong)]) {
    const root = rootOf(value);
    last.set(root, Number.POSITIVE_INFINITY);
    outside.add(root);
  }
  const lifetimes: ValueLifetime[] = [];
  for (const value of program.values) {
    if (value.isScalar || rootOf(value) !== value || value.source?.kind === 'baked') continue;
    if (value.source === null && !outside.has(value)) continue;
    const from = stepOf.get(value) as number;
    lifetimes.push({ value, from, to: Math.max(from, last.get(value) ?? from) });
  }
  return { outside, lifetimes };
}

/** Whether a value computed in a step is a local variable or register there, rather than a result in memory. */
function isRegister(step: Step, value: Value): boolean {
  return step.kind === 'scalars' || (step.kind === 'fused' && step.members.includes(value));
}
