// Several targets that appear and vanish; each frame has detections in any order.
import { Bernoulli, factor, flip, Gaussian, Infer, sample } from 'waymark';

interface Target {
  x: number;
  v: number;
}
const frames = [[1.0], [1.5, 7.9], [2.1, 7.5], [2.4, 7.1], [6.8], [3.6, 6.2]];

const model = () => {
  let targets: Target[] = [];
  let seen = 0;
  for (const detections of frames) {
    targets = targets
      .filter(() => !flip(0.1))
      .map(({ x, v }) => ({ x: sample(Gaussian({ mu: x + v, sigma: 0.2 })), v }));
    if (sample(Bernoulli({ p: 0.4 }))) {
      targets.push({ x: sample(Gaussian({ mu: 5, sigma: 3 })), v: sample(Gaussian({ mu: 0, sigma: 0.5 })) });
      seen++;
    }
    factor(-Math.abs(targets.length - detections.length));
    for (const d of detections) {
      const nearest = Math.min(3, ...targets.map(({ x }) => Math.abs(x - d)));
      factor(-nearest * nearest);
    }
  }
  return seen;
};
export default Infer({ method: 'SMC', particles: 500, model });
