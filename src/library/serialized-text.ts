/** Values as JSON text, as `serializeDist` and WebPPL's `util.serialize` write them. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';

/** JSON in which infinite numbers are the strings "Infinity" and "-Infinity". */
export function serialize(value: unknown): string {
  return JSON.stringify(value, (_, item) => (item === Infinity || item === -Infinity ? String(item) : item));
}

/** The value of a text that `serialize` made. */
export function deserialize(text: string): unknown {
  if (typeof text !== 'string') throw new WaymarkError(`util.deserialize needs a string, got ${describe(text)}.`);
  try {
    return JSON.parse(text, (_, item) => (item === 'Infinity' ? Infinity : item === '-Infinity' ? -Infinity : item));
  } catch (error) {
    throw new WaymarkError(
      `This is not the JSON that util.serialize and serializeDist make: ${(error as Error).message}.`,
    );
  }
}
