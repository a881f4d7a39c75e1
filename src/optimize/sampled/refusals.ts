import type { Address } from '../../runtime/address.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { where } from '../../runtime/places.ts';

/** The weight of a sample that has looked at some of its data is no weight: its logarithm has the right mean, itself it has not. */
export function refuseMinibatch(address: Address): never {
  throw new WaymarkError(
    `The mapData at ${where(address)} looks at a minibatch, within what is weighed as a whole: the mean of such weights bounds ` +
      'nothing. Leave out its batchSize, or put the choices inside an outermost mapData, whose data each have samples of their own.',
  );
}
