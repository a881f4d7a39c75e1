// Item response: students' abilities and questions' difficulties.
import { Bernoulli, Gaussian, Infer, observe, sample } from 'waymark';

interface Answer {
  student: number;
  question: number;
  right: boolean;
}
const answers: Answer[] = [];
for (let s = 0; s < 12; s++) {
  for (let q = 0; q < 6; q++) answers.push({ student: s, question: q, right: (s * 7 + q * 5) % 11 > q });
}
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

const model = () => {
  const ability = Array.from({ length: 12 }, () => sample(Gaussian({ mu: 0, sigma: 1 })));
  const difficulty = [...Array(6)].map(() => sample(Gaussian({ mu: 0, sigma: 1 })));
  for (const { student, question, right } of answers) {
    observe(Bernoulli({ p: logistic(ability[student] - difficulty[question]) }), right);
  }
  return ability[0];
};
export default Infer({ method: 'MCMC', samples: 3000, model });
