import type { Model } from '../../src/inference/algorithm.ts';
import { type ElboOptions, elbo } from '../../src/optimize/elbo.ts';
import type { Estimator } from '../../src/optimize/estimator.ts';
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
  /** The names of all parameters that are declared in the end. */
  readonly names: readonly string[];
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
  /** Another objective than the ELBO, with all of its options. */
  readonly objective?: Objective;
}

export interface Objective {
  readonly estimator: Pick<Estimator<object>, 'start'>;
  readonly options: object;
}

/** An objective as it is asked for; options that are left out are undefined. */
export const objectiveOf = <O extends object>(estimator: Estimator<O>, options: Partial<O>): Objective => ({
  estimator: estimator as unknown as Estimator<object>,
  options,
});

/** Follows the gradient of the ELBO, or of another objective, of a program whose value is a model. */
export async function courseOf(code: string, conduct: Conduct): Promise<Course> {
  return follow(await loadProgram({ code }), conduct);
}

export function follow(program: Program, { sequential, compiled, steps, options, objective }: Conduct): Course {
  const { estimator, options: own } = objective ?? objectiveOf(elbo, OPTIONS);
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
    const outlook = { steady: compiled, steps };
    const estimate = estimator.start(model, new Entry(table), { ...own, ...options }, packed, outlook);
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
    names: Object.keys(table.toObject()).sort(),
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
  // What a step that failed has declared does not matter.
  if (one.error === undefined && one.names.join() !== other.names.join()) {
    const only = (mine: Course, theirs: Course): string =>
      mine.names.filter((name) => !theirs.names.includes(name)).join();
    return `parameters declared in one alone: ${only(one, other)}, and in the other: ${only(other, one)}`;
  }
  return undefined;
}

function close(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
