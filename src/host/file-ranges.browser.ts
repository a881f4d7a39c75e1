import { NoFiles } from './no-files.ts';

const refuse = (): never => {
  throw new NoFiles();
};

export const sizeOfFile: (place: string) => number = refuse;
export const readRange: (place: string, start: number, length: number) => Uint8Array = refuse;
