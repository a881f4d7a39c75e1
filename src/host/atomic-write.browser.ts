import { NoFiles } from './no-files.ts';

export const targetOf = (file: string): string => file;

export function atomicWrite(_file: string, _content: Uint8Array | string, _options?: { durable?: boolean }): void {
  throw new NoFiles();
}

export function removeDrafts(_file: string): void {}
