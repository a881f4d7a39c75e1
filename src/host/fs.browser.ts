/** Where there are no files, none exists, and none can be written. */
import { NoFiles } from './no-files.ts';

export const constants = { W_OK: 2 } as const;

function refuse(): never {
  throw new NoFiles();
}

export const existsSync = (_path: string): boolean => false;
export const statSync = (_path: string, _options?: object): undefined => undefined;
/** Nothing was left behind that would have to be removed. */
export const rmSync = (_path: string, _options?: object): void => {};

export const accessSync: (path: string, mode?: number) => void = refuse;
export const appendFileSync: (path: string, text: string) => void = refuse;
export const linkSync: (from: string, to: string) => void = refuse;
export const readFileSync: (path: string, encoding: 'utf8') => string = refuse;
export const writeFileSync: (path: string, text: string) => void = refuse;
