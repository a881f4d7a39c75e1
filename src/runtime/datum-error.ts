import { isSignal } from './signals.ts';

/** Errors that happened while some data were looked at: what they said, and the indices of the data, outermost first. */
const known = new WeakMap<Error, { readonly message: string; readonly path: number[] }>();

/** Lets an error say at which datum it happened, and passes it on. */
export function atDatum(thrown: unknown, index: number): unknown {
  if (!(thrown instanceof Error) || isSignal(thrown)) return thrown;
  let said = known.get(thrown);
  if (said === undefined) {
    said = { message: thrown.message, path: [] };
    known.set(thrown, said);
  }
  said.path.unshift(index);
  thrown.message = `${said.message} (at datum ${said.path.toReversed().join(' of datum ')})`;
  return thrown;
}
