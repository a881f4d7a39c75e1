import { type Flow, Phase } from './density.ts';
import type { Chance } from './nuts.ts';

/** A step size of the right order: doubled or halved until one step's acceptance crosses 0.8 (as Stan does). */
export function findInitialStep(flow: Flow, at: Phase, chance: Chance, guess: number): number {
  const z = new Phase(flow.density.dimension);
  const acceptance = (step: number): number => {
    z.copyFrom(at);
    flow.refresh(z, () => chance.gaussian());
    const before = flow.logJoint(z);
    flow.leapfrog(z, step);
    return flow.logJoint(z) - before;
  };
  const threshold = Math.log(0.8);
  let step = guess;
  const growing = acceptance(step) > threshold;
  for (let i = 0; i < 60; i++) {
    const next = growing ? step * 2 : step / 2;
    if (acceptance(next) > threshold !== growing) return growing ? step : next;
    step = next;
  }
  return step;
}
