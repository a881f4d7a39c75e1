// Bounds of trained models. The objective of one step of an optimisation is that of the parameters before it.
import { Optimize, type OptimizeGiven, type Params } from 'waymark';

/** The mean of an objective over so many steps from the same parameters, which stay as they are. */
export function boundOf(
  model: () => unknown,
  params: Params,
  estimator: OptimizeGiven['estimator'],
  times: number,
): number {
  let objectives: readonly number[] = [];
  Optimize(model, {
    params,
    steps: times,
    gradients: 'automatic',
    estimator,
    optMethod: { sgd: { stepSize: 0 } },
    checkGradients: false,
    onFinish: ({ history }: { history: readonly number[] }) => {
      objectives = history;
    },
  });
  return objectives.reduce((sum, one) => sum + one, 0) / objectives.length;
}
