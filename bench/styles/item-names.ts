// Item response with abilities and difficulties in records of names.
import { Bernoulli, expectation, Gaussian, Infer, observe, sample } from 'waymark';

const answers = [
  { who: 'ada', item: 'a', right: true },
  { who: 'ada', item: 'b', right: true },
  { who: 'bo', item: 'a', right: true },
  { who: 'bo', item: 'b', right: false },
  { who: 'cy', item: 'a', right: false },
  { who: 'cy', item: 'c', right: false },
];
const people = [...new Set(answers.map((a) => a.who))];
const items = [...new Set(answers.map((a) => a.item))];
const model = () => {
  const ability = Object.fromEntries(people.map((p) => [p, sample(Gaussian({ mu: 0, sigma: 1 }))]));
  const hard = Object.fromEntries(items.map((i) => [i, sample(Gaussian({ mu: 0, sigma: 1 }))]));
  for (const { who, item, right } of answers) {
    const p = 1 / (1 + Math.exp(hard[item] - ability[who]));
    observe(Bernoulli({ p }), right);
  }
  return ability.ada - ability.cy;
};
export default expectation(Infer({ method: 'MCMC', samples: 3000, model }));
