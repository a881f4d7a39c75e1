import { Gaussian, gamma, gaussian, map, observe } from 'waymark';

/** A line through ten points, with noise of unknown size. */
export const model = (points: { x: number; y: number }[]) => {
  const slope = gaussian(0, 1);
  const intercept = gaussian(0, 1);
  const sigma = gamma(5, 0.2);
  map(({ x, y }) => observe(Gaussian({ mu: slope * x + intercept, sigma }), y), points);
  return { slope, intercept, sigma };
};

export const example = Array.from({ length: 10 }, (_, i) => ({ x: (i - 4.5) / 3, y: 0 }));

export default { model, example };
