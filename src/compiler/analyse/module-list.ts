/** The modules a unit imports, and what it takes from them. */
import type { Identifier, ImportDeclaration, Literal } from 'acorn';
import type { SourceText } from '../diagnostics.ts';
import { isTypeImport } from '../parse/syntax.ts';
import type { ImportSource } from './scope.ts';

/** The name under which modules import the library. */
export const LIBRARY_MODULE = 'waymark';

export class ModuleList {
  /** In the order in which they are first mentioned; the library is not among them. */
  readonly specifiers: string[] = [];

  constructor(private readonly source: SourceText) {}

  /** The number of a module that is mentioned, undefined for the library. */
  indexOf(mention: Literal): number | undefined {
    const specifier = String(mention.value);
    if (specifier === LIBRARY_MODULE) return undefined;
    const known = this.specifiers.indexOf(specifier);
    return known !== -1 ? known : this.specifiers.push(specifier) - 1;
  }

  /** The names that a declaration imports, types left out. */
  imports(node: ImportDeclaration): { local: Identifier; source: ImportSource }[] {
    if (isTypeImport(node)) return [];
    const module = this.indexOf(node.source);
    const found: { local: Identifier; source: ImportSource }[] = [];
    for (const specifier of node.specifiers) {
      if (isTypeImport(specifier)) continue;
      const { local } = specifier;
      if (specifier.type === 'ImportNamespaceSpecifier') found.push({ local, source: { module, name: '*' } });
      else if (specifier.type === 'ImportSpecifier') {
        const { imported } = specifier;
        const name = imported.type === 'Identifier' ? imported.name : String(imported.value);
        found.push({ local, source: { module, name } });
      } else if (module !== undefined) found.push({ local, source: { module, name: 'default' } });
      else {
        const hint = `Write import { … } from '${LIBRARY_MODULE}'.`;
        throw this.source.error(`'${LIBRARY_MODULE}' has no default export.`, specifier.start, hint);
      }
    }
    return found;
  }
}
