// Returns with a volatility that changes, by SMC.
import { expectation, Gaussian, Infer, observe, sample } from 'waymark';

const returns = [0.1, -0.3, 0.2, 1.1, -1.4, 0.9, -0.2, 0.1, 0.05, -0.1, 0.3, -0.6, 1.2, -0.8, 0.2];
const model = () => {
  let h = sample(Gaussian({ mu: -1, sigma: 1 }));
  for (const r of returns) {
    h = -1 + 0.9 * (h + 1) + sample(Gaussian({ mu: 0, sigma: 0.3 }));
    observe(Gaussian({ mu: 0, sigma: Math.exp(h / 2) }), r);
  }
  return h;
};
export default expectation(Infer({ method: 'SMC', particles: 2000, model }));
