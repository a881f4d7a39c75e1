// A regression in which some inputs are missing and are drawn.
import { expectation, Gaussian, Infer, observe, sample } from 'waymark';

const data: { x: number | null; y: number }[] = [
  { x: 0.1, y: 1.1 },
  { x: null, y: 2.3 },
  { x: 1.2, y: 3.2 },
  { x: 0.8, y: 2.7 },
  { x: null, y: 0.4 },
  { x: -0.5, y: 0.2 },
];
const model = () => {
  const slope = sample(Gaussian({ mu: 0, sigma: 2 }));
  const intercept = sample(Gaussian({ mu: 0, sigma: 2 }));
  for (const { x, y } of data) {
    const input = x ?? sample(Gaussian({ mu: 0, sigma: 1 }));
    observe(Gaussian({ mu: intercept + slope * input, sigma: 0.5 }), y);
  }
  return slope;
};
export default expectation(Infer({ method: 'importance', samples: 5000, model }));
