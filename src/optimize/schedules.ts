/** Step sizes that change from step to step, for the option `stepSize` of optimisers. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { isQuiet, quiet } from '../runtime/quiet-functions.ts';

type Schedule = (step: number) => number;

function check(owner: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number' && value > 0 && value < Infinity) continue;
    throw new WaymarkError(`schedules.${owner}: ${name} must be a number greater than 0, got ${describe(value)}.`);
  }
}

/** Sizes of steps: those of size 0 leave parameters where they are. */
function checkSizes(owner: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number' && value >= 0 && value < Infinity) continue;
    throw new WaymarkError(`schedules.${owner}: ${name} must be a number of at least 0, got ${describe(value)}.`);
  }
}

/** From `from`, multiplied by `rate` every `steps` steps, smoothly. */
function exponential({ from, rate, steps = 1 }: { from: number; rate: number; steps?: number }): Schedule {
  checkSizes('exponential', { from });
  check('exponential', { rate, steps });
  return quiet((step) => from * rate ** (step / steps));
}

/** From `from` to `to` along half a cosine, in `steps` steps; `to` from then on (Loshchilov & Hutter 2017). */
function cosine({ from, to, steps }: { from: number; to: number; steps: number }): Schedule {
  checkSizes('cosine', { from, to });
  check('cosine', { steps });
  return quiet((step) => to + 0.5 * (from - to) * (1 + Math.cos(Math.PI * Math.min(1, step / steps))));
}

/** Up from almost nothing in `steps` steps, and as `after` says from then on: a step size or another schedule. */
function warmUp({ steps, after }: { steps: number; after: number | Schedule }): Schedule {
  check('warmUp', { steps });
  if (typeof after === 'number') checkSizes('warmUp', { after });
  const later = typeof after === 'number' ? quiet(() => after) : after;
  if (typeof later !== 'function') {
    throw new WaymarkError(`schedules.warmUp: after must be a step size or a schedule, got ${describe(after)}.`);
  }
  const schedule: Schedule = (step) => later(step) * Math.min(1, (step + 1) / steps);
  return isQuiet(later) ? quiet(schedule) : schedule;
}

/** Ready-made schedules: `optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0.001, steps: 1000})}}`. */
export const schedules = { exponential, cosine, warmUp };
