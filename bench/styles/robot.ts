// Where in the corridor is the robot? A grid, walls, a sensor that errs.
import { Bernoulli, Categorical, Infer, observe, randomInteger, sample } from 'waymark';

const map = ['#######', '#..#..#', '#.....#', '#.##..#', '#######'];
const isWall = (x: number, y: number) => map[y]?.[x] !== '.';
const moves: [number, number][] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const readings = [
  [true, false, false, true],
  [false, false, true, true],
  [false, false, false, false],
  [true, false, true, false],
  [false, true, true, false],
  [true, false, false, true],
];
const model = () => {
  let x = 1 + randomInteger(5);
  let y = 1 + randomInteger(3);
  for (const reading of readings) {
    const [dx, dy] = sample(Categorical({ vs: moves, ps: [0.4, 0.2, 0.2, 0.2] }));
    if (!isWall(x + dx, y + dy)) {
      x += dx;
      y += dy;
    }
    moves.forEach(([mx, my], k) => {
      observe(Bernoulli({ p: isWall(x + mx, y + my) ? 0.9 : 0.1 }), reading[k]);
    });
  }
  return `${x},${y}`;
};
export default Infer({ method: 'SMC', particles: 1000, model });
