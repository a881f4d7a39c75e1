/** Plain values as bytes, for another process of the same program. */
import { deserialize, serialize } from 'node:v8';

export const packValue = (value: unknown): Uint8Array => serialize(value);
export const unpackValue = (bytes: Uint8Array): unknown => deserialize(bytes);
