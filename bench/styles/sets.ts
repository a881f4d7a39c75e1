// How many different birthdays in a class? A Set that grows.
import { Infer, randomInteger } from 'waymark';

const model = () => {
  const days = new Set<number>();
  for (let i = 0; i < 23; i++) days.add(randomInteger(365));
  return days.size < 23;
};
export default Infer({ method: 'forward', samples: 2000, model });
