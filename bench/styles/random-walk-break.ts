import { Gaussian, Infer, sample } from 'waymark';

const model = () => {
  let x = 0;
  let crossed = -1;
  for (let t = 0; t < 50; t++) {
    x += sample(Gaussian({ mu: 0.05, sigma: 0.5 }));
    if (x > 2) {
      crossed = t;
      break;
    }
    if (x < -4) continue;
    x *= 0.99;
  }
  return crossed;
};
export default Infer({ method: 'forward', samples: 2000, model });
