// A line through noisy points, with drift proposals for the slope and the intercept.
import { Gamma, Gaussian, Infer, mapData, observe, sample } from 'waymark';

const points = [
  { x: 0, y: 0.8 },
  { x: 1, y: 3.1 },
  { x: 2, y: 4.7 },
  { x: 3, y: 7.4 },
  { x: 4, y: 8.9 },
  { x: 5, y: 11.2 },
];

const model = () => {
  const near = (width: number) => (previous: number) => Gaussian({ mu: previous, sigma: width });
  const slope = sample(Gaussian({ mu: 0, sigma: 5 }), { driftKernel: near(0.2) });
  const intercept = sample(Gaussian({ mu: 0, sigma: 5 }), { driftKernel: near(0.4) });
  const noise = sample(Gamma({ shape: 2, scale: 0.5 }));
  mapData({ data: points }, ({ x, y }) => {
    observe(Gaussian({ mu: slope * x + intercept, sigma: noise }), y);
  });
  return { slope, intercept, noise };
};

export default Infer({ method: 'MCMC', samples: 5000, burn: 2000, lag: 4, model });
