// Thompson sampling on two arms: counts in objects that change.
import { Beta, flip, Infer, sample } from 'waymark';

const truth = [0.4, 0.6];
const model = () => {
  const arms = truth.map(() => ({ wins: 1, losses: 1 }));
  let reward = 0;
  for (let t = 0; t < 15; t++) {
    const draws = arms.map(({ wins, losses }) => sample(Beta({ a: wins, b: losses })));
    const arm = draws[0] > draws[1] ? 0 : 1;
    if (flip(truth[arm])) {
      arms[arm].wins++;
      reward++;
    } else arms[arm].losses++;
  }
  return reward;
};
export default Infer({ method: 'forward', samples: 1000, model });
