// Which of several machines fails first? A function that returns from the middle of a loop.
import { Exponential, flip, Infer, sample } from 'waymark';

const machines = [
  { name: 'mill', rate: 0.2 },
  { name: 'lathe', rate: 0.1 },
  { name: 'press', rate: 0.4 },
];
const firstToFail = (hours: number): string => {
  for (const { name, rate } of machines) {
    if (sample(Exponential({ a: rate })) < hours) return name;
    if (flip(0.05)) return 'fire';
  }
  return 'none';
};
export default Infer({ method: 'forward', samples: 4000, model: () => firstToFail(2) });
