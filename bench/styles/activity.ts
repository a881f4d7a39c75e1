// What was done when? A hidden Markov model whose states are records, by Metropolis-Hastings.
import { categorical, Gaussian, Infer, observe } from 'waymark';

type State = { name: string; next: number[]; mean: number };
const states: State[] = [
  { name: 'rest', next: [0.8, 0.1, 0.1], mean: 0 },
  { name: 'walk', next: [0.2, 0.6, 0.2], mean: 2 },
  { name: 'run', next: [0.1, 0.3, 0.6], mean: 5 },
];
const seen = [0.1, 0.3, 1.8, 2.2, 4.9, 5.2, 2.1, 0.2, -0.1, 2.5];
const model = () => {
  let state = states[0];
  const path: string[] = [];
  for (const y of seen) {
    state = categorical({ vs: states, ps: state.next });
    observe(Gaussian({ mu: state.mean, sigma: 0.8 }), y);
    path.push(state.name);
  }
  return path[4];
};
export default Infer({ method: 'MCMC', samples: 3000, model });
