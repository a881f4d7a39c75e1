// What the programs of all experiments share: data and an optimisation as `waymark reproduce` asks for them.
import { argv, loadData, Optimize, type OptimizeGiven, type Params } from 'waymark';

/** What the experiment's program `data` has given, which is in the file `--data`. */
export const givenData = <T>(): T => (loadData(String(argv.data)) as { value: T }).value;

/** What was learned, and the objective in each step. */
export interface Trained {
  readonly params: Params;
  readonly history: readonly number[];
}

/** For one of several optimisations of a program, from which it can go on: a file of its own. */
export const stageCheckpoint = (stage: number | string): OptimizeGiven['checkpoint'] =>
  argv.checkpoint === undefined
    ? undefined
    : { file: `${argv.checkpoint}-${stage}`, every: Number(argv.every), resume: true };

/** Optimises for `--steps`, and can go on from `--checkpoint`, which is written every `--every` steps. */
export function train(model: () => unknown, options: OptimizeGiven): Trained {
  let history: readonly number[] = [];
  const params = Optimize(model, {
    steps: Number(argv.steps),
    // What is reproduced is the paper's estimator.
    gradients: 'paper',
    checkpoint:
      argv.checkpoint === undefined
        ? undefined
        : { file: String(argv.checkpoint), every: Number(argv.every), resume: true },
    onFinish: (finished: { history: readonly number[] }) => {
      history = finished.history;
    },
    ...options,
  });
  return { params, history };
}
