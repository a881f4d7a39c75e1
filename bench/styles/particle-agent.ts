// A robot with a state object, followed by particles.
import { flip, Gaussian, gaussian, Infer, observe } from 'waymark';

interface Robot {
  x: number;
  v: number;
  bumps: number;
}
const drive = (robot: Robot) => {
  robot.v += gaussian(0, 0.3);
  robot.x += robot.v;
  if (robot.x > 6) {
    robot.x = 6;
    robot.v = -robot.v / 2;
    robot.bumps++;
  }
};
const seen = [0.4, 1.1, 2.3, 3.2, 4.6, 5.7, 5.9, 5.2, 4.9, 4.4];
const model = () => {
  const robot: Robot = { x: 0, v: 0.5, bumps: 0 };
  for (const y of seen) {
    drive(robot);
    observe(Gaussian({ mu: robot.x, sigma: flip(0.1) ? 2 : 0.4 }), y);
  }
  return robot.bumps;
};
export default Infer({ method: 'SMC', particles: 1000, model });
