import type { Model } from '../../src/inference/algorithm.ts';
import { type ElboOptions, elbo } from '../../src/optimize/elbo.ts';
import { PackedParameters } from '../../src/optimize/packed-parameters.ts';
import type { StepOptions } from '../../src/optimize/step-options.ts';
import { loadProgram } from '../../src/program/load.ts';
import type { Program } from '../../src/program/program.ts';
import { Entry } from '../../src/runtime/execution.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { sgd } from '../../src/tensor/optimisers.ts';
import { quietRun } from '../program/quiet-run.ts';

/** What the steps of an optimisation found, and how they ran. */
export interface Course {
  readonly objectives: readonly number[];
  readonly gradients: readonly Readonly<Record<string, readonly number[]>>[];
  /** What the program failed with, if it did; the steps before that are kept. */
  readonly error?: string;
  /** What `--explain-batching` says. */
  readonly explanation: string;
}

const OPTIONS: ElboOptions = {
  samples: 1,
  avgBaselines: true,
  avgBaselineDecay: 0.9,
  localWeights: true,
  removeZeroExpectation: true,
  dumpGraph: false,
  debugWeights: false,
};

const STEP_SIZE = 0.1;

export interface Conduct {
  readonly sequential: boolean;
  readonly compiled: boolean;
  readonly steps: number;
  readonly options?: Partial<StepOptions>;
}

/** Follows the gradient of the ELBO of a program whose value is a model. */
export async function courseOf(code: string, conduct: Conduct): Promise<Course> {
  return follow(await loadProgram({ code }), conduct);
}

export function follow(program: Program, { sequential, compiled, steps, options }: Conduct): Course {
  const table = new ParameterTable();
  const run = {
    ...quietRun(3),
    params: table,
    engine: { sequential, explainBatching: true, precision: 'double' as const },
  };
  const objectives: number[] = [];
  const gradients: Record<string, number[]>[] = [];
  let error: string | undefined;
  try {
    const model = program.run(run) as Model<unknown>;
    const packed = new PackedParameters(table, sgd(), 0);
    const estimate = elbo.start(model, new Entry(table), { ...OPTIONS, ...options }, packed, {
      steady: compiled,
      steps,
    });
    for (let step = 0; step < steps; step++) {
      const found = estimate(step);
      objectives.push(found.objective);
      if (found.gradients !== 'packed') packed.take(found.gradients);
      gradients.push(
        Object.fromEntries(
          packed.met.flatMap(({ names }) => names).map((name) => [name, [...packed.gradientOf(name)]]),
        ),
      );
      // Small steps, however steep it is.
      packed.move(step, STEP_SIZE, 1 / Math.max(1, packed.norm()));
    }
    estimate.end?.();
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  return {
    objectives,
    gradients,
    error,
    explanation: run.warnings.find((text) => text.includes('How Optimize ran')) ?? '',
  };
}

/** How the two differ, or undefined if they are the same to rounding. */
export function difference(one: Course, other: Course): string | undefined {
  if (one.error !== other.error) return `fails with ${one.error} and ${other.error}`;
  for (const [step, objective] of one.objectives.entries()) {
    if (!close(objective, other.objectives[step])) {
      return `step ${step}: the objective is ${objective} and ${other.objectives[step]}`;
    }
    const [mine, theirs] = [one.gradients[step], other.gradients[step]];
    const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    for (const name of names) {
      if (mine[name] === undefined || theirs[name] === undefined)
        return `step ${step}: only one has a gradient for ${name}`;
      for (const [i, value] of mine[name].entries()) {
        if (!close(value, theirs[name][i])) {
          return `step ${step}: the gradient of ${name}[${i}] is ${value} and ${theirs[name][i]}`;
        }
      }
    }
  }
  return undefined;
}

function close(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
