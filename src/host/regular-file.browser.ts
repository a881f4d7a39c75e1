import { NoFiles } from './no-files.ts';

export class NotAFile extends Error {}

export function readRegularFile(_place: string): Uint8Array<ArrayBuffer> {
  throw new NoFiles();
}
