/** A factor that not all particles have met: what it brought those that have. */
import { currentGroup } from '../../lanes/columns/group.ts';
import { Doubles } from '../../lanes/columns/kernel-memory.ts';
import { areFinite, elementwise, type Operand } from '../../lanes/columns/kernels.ts';
import { addScores } from '../../lanes/columns/scores.ts';
import { OneByOne } from '../../runtime/signals.ts';

export interface Waiting {
  /** By particle; an array where they are still coming in. */
  weights: Doubles | Float64Array;
  /** Whether this is their only owner. */
  readonly isOwn: boolean;
}

/** As kernels take them. */
export const stored = (numbers: Doubles | Float64Array): Doubles =>
  numbers instanceof Doubles ? numbers : Doubles.of(numbers);

/** As an array. */
export const arrayOf = (numbers: Doubles | Float64Array): Float64Array =>
  numbers instanceof Doubles ? numbers.array : numbers;

/**
 * What a factor brings the particles of the current group, by number: its score, and the importance weights of the choices before it,
 * which are `pending` no longer.
 */
export function brought(pending: Doubles | null, size: number, score: Operand, isOwn: boolean): Waiting {
  if (currentGroup().isWhole) {
    if (pending === null && typeof score !== 'number') return { weights: score, isOwn };
    const weights = elementwise('add', size, pending ?? 0, score);
    pending?.fill(0);
    return { weights, isOwn: true };
  }
  const weights = new Float64Array(size);
  if (pending !== null) {
    const left = pending.array.slice();
    for (const slot of currentGroup().slots) {
      weights[slot] = left[slot];
      left[slot] = 0;
    }
    pending.become(left);
  }
  const gained = Doubles.of(weights);
  addScores(gained, score);
  return { weights: gained, isOwn: true };
}

/** The weights of a factor that not all of so many particles have met. */
export function comingIn(waiting: Waiting[], place: number, size: number): Float64Array {
  for (let k = waiting.length; k <= place; k++) waiting[k] = { weights: new Float64Array(size), isOwn: true };
  const found = waiting[place];
  if (found.weights instanceof Doubles) found.weights = found.weights.array.slice();
  return found.weights;
}

/** A particle drawn from a guide whose choice is impossible ends there; that is left to executions alone. */
export function refuseImpossible(pending: Doubles | null): void {
  if (pending === null || areFinite(pending)) return;
  const weights = pending.array;
  if (!currentGroup().slots.some((slot) => weights[slot] === -Infinity)) return;
  throw new OneByOne('weights', 'a guide draws what is impossible');
}
