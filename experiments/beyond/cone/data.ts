// The evidence of the noisy cone: x² + y² is exponential with mean 200, so that one integral remains.
import { Gaussian } from 'waymark';

const SCALE = 200;
const STEP = 1e-4;

let evidence = 0;
for (let s = STEP / 2; s < 50; s += STEP) {
  evidence += (STEP * Math.exp(Gaussian({ mu: s, sigma: 0.1 + s / 100 }).score(5) - s / SCALE)) / SCALE;
}

export default {
  description:
    'One number, 5: two coordinates from Gaussians of deviation 10, and the sum of their squares, seen with a noise of 0.1 and ' +
    'a hundredth of it.',
  logEvidence: Math.log(evidence),
};
