import { Bernoulli, Gaussian, Infer, observe, sample } from 'waymark';

const points = Array.from({ length: 15 }, (_, i) => ({
  x: i / 3,
  y: 1 + (2 * i) / 3 + (i === 7 ? 8 : Math.sin(i) / 4),
}));
const model = () => {
  const a = sample(Gaussian({ mu: 0, sigma: 3 }));
  const b = sample(Gaussian({ mu: 0, sigma: 3 }));
  const outliers = points.filter(({ x, y }) => {
    const isOutlier = sample(Bernoulli({ p: 0.1 }));
    observe(isOutlier ? Gaussian({ mu: a + b * x, sigma: 10 }) : Gaussian({ mu: a + b * x, sigma: 0.5 }), y);
    return isOutlier;
  });
  return outliers.length;
};
export default Infer({ method: 'MCMC', samples: 3000, model });
