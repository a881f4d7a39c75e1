/** What the package offers, and where each name is declared. */
import { dirname, resolve } from 'node:path';
import { type Declaration, sourceFile, top } from './declarations.ts';

export interface PublicName {
  readonly name: string;
  readonly declaration: Declaration;
}

/** All names that a file exports, in the order in which it lists them: what `.wppl` programs see, if none is named. */
export function publicNames(path = resolve(top, 'src/scope.ts')): PublicName[] {
  const { declarations, exported, passedOn } = sourceFile(path);
  const own = [...exported].map((name) => ({ name, declaration: declarations.get(name)! }));
  const others = passedOn.flatMap(({ from, names }) => {
    const offered = publicNames(resolve(dirname(path), from));
    if (names === undefined) return offered;
    return names.map(({ local, exported }) => {
      const found = offered.find(({ name }) => name === local);
      if (found === undefined) throw new Error(`${path}: ${from} exports no ${local}`);
      return { name: exported, declaration: found.declaration };
    });
  });
  return [...own, ...others];
}
