// A random walk whose history is a new list in each step.
import { expectation, Gaussian, Infer, observe, sample } from 'waymark';

const seen = [0.2, 0.5, 0.3, 1.1, 1.4, 1.2, 1.9, 2.2];
const model = () => {
  let path: number[] = [0];
  for (const y of seen) {
    path = [...path, sample(Gaussian({ mu: path[path.length - 1], sigma: 0.5 }))];
    observe(Gaussian({ mu: path[path.length - 1], sigma: 0.3 }), y);
  }
  return Math.max(...path);
};
export default expectation(Infer({ method: 'importance', samples: 4000, model }));
