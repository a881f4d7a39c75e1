// The median of five draws, and the gap between the best two.
import { expectation, Gaussian, Infer, observe, sample } from 'waymark';

const model = () => {
  const mu = sample(Gaussian({ mu: 0, sigma: 2 }));
  const draws = Array.from({ length: 5 }, () => sample(Gaussian({ mu, sigma: 1 })));
  const sorted = [...draws].sort((a, b) => a - b);
  observe(Gaussian({ mu: sorted[2], sigma: 0.3 }), 1.2);
  return sorted[4] - sorted[3];
};
export default expectation(Infer({ method: 'importance', samples: 4000, model }));
