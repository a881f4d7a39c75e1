import { Cauchy, type Distribution, Gaussian, Infer, Laplace, observe, randomInteger, sample, Uniform } from 'waymark';

const families: ((scale: number) => Distribution<number>)[] = [
  (scale) => Gaussian({ mu: 0, sigma: scale }),
  (scale) => Laplace({ location: 0, scale }),
  (scale) => Cauchy({ location: 0, scale }),
];
const xs = [0.2, -0.4, 3.1, 0.1, -0.2, 0.5];
const model = () => {
  const k = randomInteger(families.length);
  const scale = sample(Uniform({ a: 0.1, b: 2 }));
  const family = families[k](scale);
  xs.forEach((x) => {
    observe(family, x);
  });
  return k;
};
export default Infer({ method: 'importance', samples: 5000, model });
