// The objective at each step, with the component guided by a network and summed out, for section 8 of the tutorial.
import { type Model, Optimize, setFreshParamsId } from 'waymark';
import { guided, summedOut } from './models/clusters.ts';

const steps = 600;

function historyOf(name: string, model: Model<void>) {
  const rows: { name: string; step: number; objective: number }[] = [];
  setFreshParamsId();
  Optimize(model, {
    steps,
    optMethod: { adam: { stepSize: 0.05 } },
    onFinish({ history }) {
      // Means of ten steps: single ones are noisy.
      for (let step = 0; step < history.length; step += 10) {
        const some = history.slice(step, step + 10);
        const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
        rows.push({ name, step, objective: Number(mean.toFixed(2)) });
      }
    },
  });
  return rows;
}

export default {
  data: { values: [...historyOf('guided', guided), ...historyOf('summed out', summedOut)] },
  width: 420,
  height: 180,
  mark: { type: 'line', clip: true },
  encoding: {
    x: { field: 'step', type: 'quantitative' },
    y: { field: 'objective', type: 'quantitative', scale: { domain: [-900, -400] } },
    color: { field: 'name', type: 'nominal', title: null },
  },
};
