import { Binomial, Infer, observe, Poisson, sample, Uniform } from 'waymark';

type Population = { s: number; i: number; r: number };
const reported = [3, 5, 9, 14, 20, 25, 22, 15, 10, 6];

const day = ({ s, i, r }: Population, beta: number, gamma: number): Population => {
  const p = Math.min(1, 1 - Math.exp((-beta * i) / (s + i + r)));
  const infected = sample(Binomial({ p, n: s }));
  const recovered = sample(Binomial({ p: gamma, n: i }));
  return { s: s - infected, i: i + infected - recovered, r: r + recovered };
};
const model = () => {
  const beta = sample(Uniform({ a: 0.2, b: 2 }));
  const gamma = sample(Uniform({ a: 0.1, b: 0.9 }));
  reported.reduce<Population>(
    (population, cases) => {
      const next = day(population, beta, gamma);
      observe(Poisson({ mu: 0.5 + next.i * 0.8 }), cases);
      return next;
    },
    { s: 190, i: 4, r: 0 },
  );
  return beta / gamma;
};
export default Infer({ method: 'SMC', particles: 1000, model });
