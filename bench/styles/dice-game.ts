// Pig: roll until you hold or lose the turn.
import { Infer, randomInteger } from 'waymark';

const turn = (hold: number): number => {
  let total = 0;
  while (total < hold) {
    const die = 1 + randomInteger(6);
    if (die === 1) return 0;
    total += die;
  }
  return total;
};
const model = () => {
  let [score, turns] = [0, 0];
  while (score < 50) {
    score += turn(20);
    turns++;
  }
  return turns;
};
export default Infer({ method: 'forward', samples: 2000, model });
