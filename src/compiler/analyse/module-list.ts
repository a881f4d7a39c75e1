/** The modules a unit imports, and what it takes from them. */
import type { Identifier, ImportDeclaration, Literal } from 'acorn';
import type { SourceText } from '../diagnostics.ts';
import type { LibraryName } from '../library-names.ts';
import { isTypeImport } from '../parse/syntax.ts';
import type { ImportSource } from './scope.ts';

/** The name under which modules import the library, and that of its part for programs written for WebPPL. */
const LIBRARY_MODULE = 'waymark';
const WEBPPL_MODULE = 'waymark/webppl';

export const isLibrary = (specifier: unknown): boolean => specifier === LIBRARY_MODULE || specifier === WEBPPL_MODULE;

/** Where modules import a name of the library from. */
export const libraryModuleOf = ({ webppl }: LibraryName): string => (webppl ? WEBPPL_MODULE : LIBRARY_MODULE);

export class ModuleList {
  /** In the order in which they are first mentioned; the library is not among them. */
  readonly specifiers: string[] = [];

  constructor(private readonly source: SourceText) {}

  /** The number of a module that is mentioned, undefined for the library. */
  indexOf(mention: Literal): number | undefined {
    const specifier = String(mention.value);
    if (isLibrary(specifier)) return undefined;
    const known = this.specifiers.indexOf(specifier);
    return known !== -1 ? known : this.specifiers.push(specifier) - 1;
  }

  /** The names that a declaration imports, types left out. */
  imports(node: ImportDeclaration): { local: Identifier; source: ImportSource }[] {
    if (isTypeImport(node)) return [];
    const module = this.indexOf(node.source);
    const library = module === undefined ? String(node.source.value) : undefined;
    const found: { local: Identifier; source: ImportSource }[] = [];
    for (const specifier of node.specifiers) {
      if (isTypeImport(specifier)) continue;
      const { local } = specifier;
      if (specifier.type === 'ImportNamespaceSpecifier') found.push({ local, source: { module, library, name: '*' } });
      else if (specifier.type === 'ImportSpecifier') {
        const { imported } = specifier;
        const name = imported.type === 'Identifier' ? imported.name : String(imported.value);
        found.push({ local, source: { module, library, name } });
      } else if (module !== undefined) found.push({ local, source: { module, name: 'default' } });
      else {
        const hint = `Write import { … } from '${library}'.`;
        throw this.source.error(`'${library}' has no default export.`, specifier.start, hint);
      }
    }
    return found;
  }
}
