// Moods from messages, by MCMC: words out of lists, tables by name.
import { Categorical, categorical, Infer, observe, uniformDraw } from 'waymark';

const moods = ['calm', 'cross', 'glad'];
const follow: Record<string, number[]> = { calm: [0.6, 0.2, 0.2], cross: [0.3, 0.5, 0.2], glad: [0.3, 0.1, 0.6] };
const says: Record<string, number[]> = { calm: [0.5, 0.3, 0.2], cross: [0.1, 0.2, 0.7], glad: [0.2, 0.7, 0.1] };
const words = ['fine', 'great', 'no'];
const heard = ['fine', 'no', 'no', 'great', 'fine', 'great', 'no', 'fine'];
const model = () => {
  let mood = uniformDraw(moods);
  const path: string[] = [];
  for (const word of heard) {
    mood = categorical({ vs: moods, ps: follow[mood] });
    observe(Categorical({ vs: words, ps: says[mood] }), word);
    path.push(mood);
  }
  return path.filter((m) => m === 'cross').length;
};
export default Infer({ method: 'MCMC', samples: 3000, model });
