// A savings plan as a reduction whose state is taken apart and made anew.
import { expectation, flip, Gaussian, Infer, sample } from 'waymark';

const years = Array.from({ length: 12 }, (_, i) => i);
const model = () => {
  const { worth, drops } = years.reduce(
    ({ worth, drops }, year) => {
      const isCrash = flip(0.1);
      const rate = isCrash ? sample(Gaussian({ mu: -0.3, sigma: 0.1 })) : sample(Gaussian({ mu: 0.06, sigma: 0.05 }));
      return { worth: worth * (1 + rate) + 10 + year, drops: drops + (rate < 0 ? 1 : 0) };
    },
    { worth: 100, drops: 0 },
  );
  return worth - drops;
};
export default expectation(Infer({ method: 'forward', samples: 3000, model }));
