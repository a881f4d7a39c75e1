import { asGuide, guideValue, withoutGuides } from '../guides/guide-values.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine, storeOf } from '../runtime/machine.ts';
import { checkFunction } from './arguments.ts';

/**
 * Computes a value for the guides of the choices that follow: once for the model, or for each datum inside `mapData`. Guides get the
 * value by calling the function that `guide` returns. The function given may use parameters, but makes no choices. It is given the datum
 * of the `mapData` around it, if it takes one.
 *
 * Under methods that use no guides it is not run. To call what `guide` gives outside a guide is an error, under any method: the model
 * does not depend on its guides.
 *
 *     const model = () => {
 *       mapData({data: [0.4, 1.2]}, (y) => {
 *         const found = guide(() => ({mu: y * param({name: 'a'}), sigma: softplus(param({name: 's'}))}));
 *         const x = sample(Gaussian({mu: 0, sigma: 1}), {guide: () => Gaussian(found())});
 *         observe(Gaussian({mu: x, sigma: 1}), y);
 *       });
 *     };
 *     Optimize(model, {steps: 100});
 */
export function guide<R>(fn: () => R): () => R;
/** The form that takes the datum of the `mapData` around it. */
export function guide<A, R>(fn: (datum: A) => R): () => R;
export function guide<R>(fn: (datum: unknown) => R): () => R {
  checkFunction('guide(fn)', fn);
  const { handler, address, effects } = machine;
  if (handler.guided !== true) return withoutGuides(address);
  machine.address = address.at('guide');
  const before = storeOf(machine.store);
  const value = asGuide(() => fn(datumFor(fn)));
  machine.address = address;
  if (machine.effects !== effects) {
    throw new WaymarkError('The function given to guide must not call sample, observe, factor or condition.');
  }
  // A function that writes to the store may return its last expression by accident.
  const stores = Object.entries(machine.store).some(([name, held]) => before[name] !== held);
  return guideValue(address, value, !stores && value !== undefined);
}

/** The datum that the function is given, if it takes one. */
function datumFor(fn: (datum: unknown) => unknown): unknown {
  if (fn.length === 0) return undefined;
  const { item } = machine;
  if (item !== null) return item.datum;
  throw new WaymarkError(
    'The function given to guide takes a datum, and there is no mapData around it. Let it take nothing, and use what it needs from around it.',
  );
}
