// The data, the learned components, and what the guide says of each datum, for section 6 of the tutorial.
import { Gaussian, getParams, Infer, nneval, Optimize, schedules, simplex, softplus, T, Vector } from 'waymark';
import { guided, guideNet, points } from './models/clusters.ts';

const steps = 2000;
const stepSize = schedules.cosine({ from: 0.05, to: 0.001, steps });
Optimize(guided, { steps, optMethod: { adam: { stepSize } } });
const params = getParams();

const grid = Array.from({ length: 121 }, (_, i) => Number((-6 + i / 10).toFixed(1)));
const rounded = (x: number) => Number(x.toFixed(3));
const weights = simplex(params.weights);
const densityAt = (y: number, k: number) => {
  const [mu, sigma] = [T.get(params[`mu${k + 1}`], 0), softplus(T.get(params[`sigma${k + 1}`], 0))];
  return T.get(weights, k) * Math.exp(Gaussian({ mu, sigma }).score(y));
};
const [guesses] = Infer({
  method: 'forward',
  guide: true,
  samples: 1,
  model: () => grid.map((y) => T.toScalars(simplex(nneval(guideNet, Vector([y]))))),
}).support();

const values = grid.flatMap((y, i) =>
  [0, 1, 2].map((k) => ({
    component: String(k),
    y,
    density: rounded(densityAt(y, k)),
    probability: rounded(guesses[i][k]),
  })),
);

const x = { field: 'y', type: 'quantitative', title: 'datum', scale: { domain: [-6, 6] } };
const color = { field: 'component', type: 'nominal' };

export default {
  vconcat: [
    {
      width: 420,
      height: 150,
      layer: [
        {
          data: { values: points.map((y) => ({ y: rounded(y) })) },
          transform: [
            { bin: { step: 0.5, extent: [-6, 6] }, field: 'y', as: ['from', 'to'] },
            { aggregate: [{ op: 'count', as: 'count' }], groupby: ['from', 'to'] },
            { calculate: `datum.count / ${points.length} / 0.5`, as: 'density' },
          ],
          mark: { type: 'bar', color: '#dddddd' },
          encoding: {
            x: { ...x, field: 'from', bin: { binned: true, step: 0.5 } },
            x2: { field: 'to' },
            y: { field: 'density', type: 'quantitative' },
          },
        },
        {
          data: { values },
          mark: 'line',
          encoding: { x, y: { field: 'density', type: 'quantitative', title: 'density' }, color },
        },
      ],
    },
    {
      width: 420,
      height: 100,
      data: { values },
      mark: 'line',
      encoding: { x, y: { field: 'probability', type: 'quantitative', title: 'guide' }, color },
    },
  ],
};
