import type { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import { type Conditions, conditionsNow, refusedDifference } from './checkpoint-conditions.ts';
import type { OptimizeOptions } from './optimize-options.ts';

/** Which optimisation a checkpoint belongs to. Going on from it in any other would give something else, silently. */
export interface Identity {
  /** Of the program's text; null where it is not compiled by Waymark. */
  readonly program: string | null;
  readonly seed: number;
  /** Drawn from the random numbers of this optimisation: another one of the same program has others. */
  readonly stream: number;
  /** The options that decide how parameters move, as text by name. The number of steps is not among them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly conditions: Conditions;
}

export function identityOf(entry: Entry, options: OptimizeOptions): Identity {
  const { run } = machine;
  return {
    program: run.fingerprint?.() ?? null,
    seed: run.seed,
    stream: entry.streamOf(0).named('checkpoint').begin().uniform(),
    settings: {
      optMethod: textOf(options.optMethod),
      estimator: textOf(options.estimator),
      gradients: textOf(options.gradients),
      ...(options.autoGuide !== undefined && { autoGuide: textOf(options.autoGuide) }),
      weightDecay: textOf(options.weightDecay),
      clip: textOf(options.clip),
    },
    conditions: conditionsNow(),
  };
}

/** Step sizes may be functions, and traces are large: options that have no text count as equal. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'function') return 'a function';
    if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
    return Array.isArray(inner) && !inner.every(isPlain) ? `a list of ${inner.length}` : inner;
  });
}

const isPlain = (item: unknown): boolean =>
  typeof item !== 'object' || item === null || Object.getPrototypeOf(item) === Object.prototype;

/** The first difference, in words that complete "… cannot go on from it:"; undefined if nothing is. */
export function difference(saved: Identity, own: Identity, anyProgram: boolean): string | undefined {
  if (saved.program !== own.program && !anyProgram) {
    return (
      'it was written by another program, or before this one was changed. If the change makes no difference to the ' +
      "optimisation, write resume: 'anyway' into the option checkpoint"
    );
  }
  if (saved.seed !== own.seed) {
    return `it was written by a run with seed ${saved.seed}, and this one has seed ${own.seed}. Use --seed ${saved.seed}`;
  }
  for (const [name, text] of Object.entries(own.settings)) {
    const before = saved.settings[name];
    if (before !== text) return `it was written with ${name} ${before}, and this is ${text}`;
  }
  const refused = refusedDifference(saved.conditions, own.conditions, anyProgram);
  if (refused !== undefined) return refused;
  if (saved.stream === own.stream) return undefined;
  return 'it belongs to another call of Optimize in this program. Give each its own file';
}
