// Two agents with a state of their own walk and meet; a function moves whichever it is given.
import { condition, flip, gaussian, Infer } from 'waymark';

const move = (agent: { x: number; energy: number }, speed: number) => {
  if (agent.energy <= 0) return;
  agent.x += gaussian(speed, 0.5);
  agent.energy -= flip(0.7) ? 1 : 2;
};
const model = () => {
  const hunter = { x: 0, energy: 12 };
  const prey = { x: 4, energy: 8 };
  let caught = 0;
  for (let t = 0; t < 10; t++) {
    move(prey, 0.5);
    move(hunter, 1);
    const ahead = hunter.x > prey.x ? hunter : prey;
    ahead.energy -= 0.5;
    if (Math.abs(hunter.x - prey.x) < 1) caught++;
  }
  condition(hunter.energy + prey.energy < 8);
  return caught;
};
export default Infer({ method: 'rejection', samples: 1500, model });
