// A guide finds the posterior of one choice: densities of prior, posterior and guide, for section 3 of the tutorial.
import { Gaussian, Optimize, observe, param, sample, schedules, setFreshParamsId, softplus, T } from 'waymark';

const y = 0.5;

const model = () => {
  const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
    guide: Gaussian({ mu: param({ name: 'mu' }), sigma: softplus(param({ name: 'sigma' })) }),
  });
  observe(Gaussian({ mu: x, sigma: 0.5 }), y);
  return x;
};

const guideAfter = (steps: number) => {
  setFreshParamsId();
  const stepSize = schedules.cosine({ from: 0.1, to: 0.001, steps: 1000 });
  const params = Optimize(model, { steps, optMethod: { adam: { stepSize } } });
  return Gaussian({ mu: T.get(params.mu, 0), sigma: softplus(T.get(params.sigma, 0)) });
};

const curves = [
  { name: 'prior', dist: Gaussian({ mu: 0, sigma: 1 }) },
  { name: 'posterior', dist: Gaussian({ mu: y / 1.25, sigma: Math.sqrt(0.2) }) },
  { name: 'guide after 1 step', dist: guideAfter(1) },
  { name: 'guide after 1000 steps', dist: guideAfter(1000) },
];

const values = curves.flatMap(({ name, dist }) =>
  Array.from({ length: 121 }, (_, i) => ({
    name,
    x: Number((-2.5 + i / 24).toFixed(3)),
    density: Number(Math.exp(dist.score(-2.5 + i / 24)).toFixed(3)),
  })),
);

const names = curves.map(({ name }) => name);

export default {
  data: { values },
  width: 420,
  height: 180,
  mark: { type: 'line', clip: true },
  encoding: {
    x: { field: 'x', type: 'quantitative' },
    y: { field: 'density', type: 'quantitative' },
    color: {
      field: 'name',
      type: 'nominal',
      title: null,
      scale: { domain: names, range: ['#b0b0b0', '#4c78a8', '#f2cf5b', '#f58518'] },
    },
    strokeDash: {
      field: 'name',
      type: 'nominal',
      title: null,
      scale: { domain: names, range: [[], [], [2, 2], [6, 4]] },
    },
  },
};
