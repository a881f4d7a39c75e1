/** Apart from `params-keeper.ts`, because the main thread needs no more than this. */
import { extname } from 'node:path';

/** `net.params` → `net.unfinished.params`, so that the ending still tells the format. */
export function unfinished(name: string): string {
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}.unfinished${ending}`;
}
