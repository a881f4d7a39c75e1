import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { firstAccepted, rejecting } from '../runtime/rejection.ts';

/**
 * Calls a function again and again until it returns something: `undefined` rejects what it drew. Choices of rounds that were rejected
 * have no part in the result, and networks that propose for a program (`Amortize`) leave them out of its weight.
 *
 *     Infer({method: 'forward', samples: 1000, model() {
 *       const point = rejection(() => {
 *         const [x, y] = [uniform(-1, 1), uniform(-1, 1)];
 *         if (x * x + y * y < 1) return [x, y];
 *       });
 *       return point[0] > 0;
 *     }})
 */
export function rejection<T>(fn: () => T | undefined): T {
  if (typeof fn !== 'function') {
    throw new WaymarkError(
      `rejection takes a function that returns a value, or undefined to be called again; got ${describe(fn)}.`,
    );
  }
  const { address } = machine;
  const place = address.at('rejection');
  const round = (i: number): T | undefined => {
    machine.address = place.index(i);
    return fn();
  };
  const rounds = rejecting();
  const value = firstAccepted((i) => {
    if (rounds === null) return round(i);
    rounds.round(place);
    const found = round(i);
    return found !== undefined && rounds.accepts() ? found : undefined;
  });
  machine.address = address;
  return value;
}
