// A regression whose residuals are collected in lists and objects, by MH.
import { Gaussian, gaussian, Infer, observe } from 'waymark';

const points = [
  [0, 0.1],
  [1, 1.2],
  [2, 1.8],
  [3, 3.3],
  [4, 4.1],
  [5, 5.4],
] as const;
const model = () => {
  const [slope, offset] = [gaussian(1, 1), gaussian(0, 1)];
  const residuals: number[] = [];
  const total = { squares: 0, worst: 0 };
  for (const [x, y] of points) {
    const mu = offset + slope * x;
    residuals.push(y - mu);
    total.squares += (y - mu) ** 2;
    total.worst = Math.max(total.worst, Math.abs(y - mu));
    observe(Gaussian({ mu, sigma: 0.4 }), y);
  }
  const seen = new Map<string, number>();
  for (const [i, r] of residuals.entries()) seen.set(`r${i}`, r);
  return { slope, spread: Math.sqrt(total.squares), worst: total.worst, last: seen.get('r5') };
};
export default Infer({ method: 'MCMC', samples: 20000, model });
