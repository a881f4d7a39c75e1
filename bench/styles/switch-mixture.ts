import { Gamma, Gaussian, Infer, observe, randomInteger, sample, Uniform } from 'waymark';

const data = [1.2, 0.4, 3.3, 2.1, 0.9, 5.2];
const model = () => {
  const kind = randomInteger(3);
  const scale = sample(Uniform({ a: 0.5, b: 3 }));
  let mean: number;
  switch (kind) {
    case 0:
      mean = sample(Gaussian({ mu: 0, sigma: 1 }));
      break;
    case 1:
      mean = sample(Gamma({ shape: 2, scale: 1 }));
      break;
    default:
      mean = 2;
  }
  for (const x of data) observe(Gaussian({ mu: mean, sigma: scale }), x);
  return kind;
};
export default Infer({ method: 'MCMC', samples: 4000, model });
