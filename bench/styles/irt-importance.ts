import { Bernoulli, expectation, Gaussian, Infer, observe, sample } from 'waymark';

const scores = new Map([
  ['ada', [1, 1, 1, 0]],
  ['bo', [1, 0, 0, 0]],
  ['cy', [1, 1, 0, 1]],
]);
const model = () => {
  const difficulty = [0, 1, 2, 3].map((i) => sample(Gaussian({ mu: i / 2, sigma: 1 })));
  const abilities: Record<string, number> = {};
  for (const [name, answers] of scores) {
    abilities[name] = sample(Gaussian({ mu: 0, sigma: 1.5 }));
    answers.forEach((answer, i) => {
      const p = 1 / (1 + Math.exp(difficulty[i] - abilities[name]));
      observe(Bernoulli({ p }), answer === 1);
    });
  }
  return abilities.ada - abilities.bo;
};
export default expectation(Infer({ method: 'importance', samples: 5000, model }));
