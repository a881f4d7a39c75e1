// What a network has learned to infer from a datum, beside the exact posterior, for section 4 of the tutorial.
import { Gaussian, Infer, mapData, nn, nneval, Optimize, observe, repeat, sample, softplus, T, Vector } from 'waymark';

const net = nn.mlp(1, [{ nOut: 5, activation: nn.tanh }, { nOut: 2 }], 'net');

const modelOf = (data: number[], batchSize?: number) => () =>
  mapData({ data, batchSize }, (y) => {
    const output = nneval(net, Vector([y]));
    const [mu, sigma] = [T.get(output, 0), softplus(T.get(output, 1))];
    const x = sample(Gaussian({ mu: 0, sigma: 1 }), { guide: Gaussian({ mu, sigma }) });
    observe(Gaussian({ mu: x, sigma: 0.5 }), y);
    return { mu, sigma };
  });

const data = repeat(200, () => sample(Gaussian({ mu: 0, sigma: Math.sqrt(1.25) })));
const params = Optimize(modelOf(data, 50), { steps: 1000, optMethod: { adam: { stepSize: 0.02 } } });

const grid = Array.from({ length: 61 }, (_, i) => Number((-3 + i / 10).toFixed(1)));
const [guides = []] = Infer({ method: 'forward', guide: true, samples: 1, params, model: modelOf(grid) }).support();

const rounded = (x: number) => Number(x.toFixed(3));
const row = (name: string, y: number, mean: number, deviation: number) => ({
  name,
  y,
  mean: rounded(mean),
  low: rounded(mean - deviation),
  high: rounded(mean + deviation),
});
const values = grid.flatMap((y, i) => [
  row('posterior', y, 0.8 * y, Math.sqrt(0.2)),
  row('guide', y, guides[i].mu, guides[i].sigma),
]);

const encoding = {
  x: { field: 'y', type: 'quantitative', title: 'datum' },
  color: { field: 'name', type: 'nominal', title: null },
};

export default {
  width: 420,
  height: 200,
  layer: [
    {
      data: { values },
      mark: { type: 'area', opacity: 0.25 },
      encoding: {
        ...encoding,
        y: { field: 'low', type: 'quantitative', title: 'x: mean ± deviation', stack: null },
        y2: { field: 'high' },
      },
    },
    { data: { values }, mark: 'line', encoding: { ...encoding, y: { field: 'mean', type: 'quantitative' } } },
    {
      data: { values: data.map((y) => ({ y: rounded(y) })) },
      mark: { type: 'tick', color: '#b0b0b0', y: 195, height: 8 },
      encoding: { x: { field: 'y', type: 'quantitative' } },
    },
  ],
};
