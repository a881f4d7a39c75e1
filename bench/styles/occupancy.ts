// Site occupancy with imperfect detection (ecology): MCMC over latent presence.
import { Bernoulli, Beta, expectation, flip, Infer, observe, sample } from 'waymark';

const histories: boolean[][] = [
  [true, false, true],
  [false, false, false],
  [false, true, false],
  [false, false, false],
  [true, true, true],
  [false, false, false],
  [false, false, true],
  [false, false, false],
  [true, false, false],
  [false, false, false],
];
const model = () => {
  const psi = sample(Beta({ a: 1, b: 1 }));
  const p = sample(Beta({ a: 2, b: 2 }));
  let occupied = 0;
  for (const history of histories) {
    const here = flip(psi);
    if (here) occupied++;
    for (const seen of history) observe(Bernoulli({ p: here ? p : 0.001 }), seen);
  }
  return { psi, p, occupied };
};
const post = Infer({ method: 'MCMC', samples: 1000, burn: 100, model });
export default { psi: expectation(post, (v) => v.psi), occupied: expectation(post, (v) => v.occupied) };
