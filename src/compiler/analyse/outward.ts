/** Whether functions of a unit use the clock or the console, so that it matters how often, when and where they run. What is done at top level does not count. */
import type { LibraryNames } from '../library-names.ts';
import type { Analysis } from './analysis.ts';
import { OUTSIDE_NAMES } from './hosts.ts';
import { outsideName } from './scope.ts';
import { TopLevel } from './top-level.ts';

export function looksOutside(analysis: Analysis, library: LibraryNames): boolean {
  let topLevel: TopLevel | undefined;
  return analysis.references.some(({ node }) => {
    const name = outsideName(node.name, analysis.resolve(node));
    if (name === undefined || !OUTSIDE_NAMES.has(name)) return false;
    topLevel ??= new TopLevel(analysis, library);
    return !topLevel.includes(node);
  });
}
