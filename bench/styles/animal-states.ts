// A hidden Markov model with records for states and a for..of loop over what was seen.
import { categorical, Discrete, Infer, observe } from 'waymark';

type State = { name: string; next: number[]; emits: number[] };
const states: State[] = [
  { name: 'rest', next: [0.8, 0.2], emits: [0.7, 0.2, 0.1] },
  { name: 'hunt', next: [0.4, 0.6], emits: [0.1, 0.3, 0.6] },
];
const seen = [0, 0, 1, 2, 2, 1, 0, 2];
const model = () => {
  let state = states[0];
  const path: string[] = [];
  for (const symbol of seen) {
    state = categorical({ ps: state.next, vs: states });
    observe(Discrete({ ps: state.emits }), symbol);
    path.push(state.name);
  }
  return path.filter((name) => name === 'hunt').length;
};
export default Infer({ method: 'SMC', particles: 500, model });
