/** A `.wppl` program as a module: its value is the default export, and what it declares at top level has its name. */
import { aloneUnit, compileUnit, neededTexts } from '../compiler/compile.ts';
import type { StandardMap } from '../compiler/emit/source-map.ts';
import type { LibraryName } from '../compiler/library-names.ts';
import { libraryNames } from '../program/scope.ts';
import { readFile } from '../program/unit.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { appMethodNames } from './app-methods.ts';

const WORD = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** An import of those of the names that a module of the library has. */
function importText(
  module: string,
  names: ReadonlySet<string>,
  has: (row: LibraryName | undefined) => boolean,
): string {
  const found = [...names].filter((name) => name !== '_' && has(libraryNames.get(name)));
  return found.length === 0
    ? ''
    : `import { ${found.map((name) => `${name} as $n_${name}`).join(', ')} } from '${module}';`;
}

/** Names of the command line, which apps have no use for. */
const NOT_IN_APPS = ['require', '_top', 'argv', 'assert'];

export function wpplModule(
  text: string,
  file: string,
  /** What places in it are called by. */
  id: string,
  firstSite: number,
): { code: string; map: StandardMap } {
  const read = readFile(text, file, 'wppl');
  const { free } = read;
  const needed = neededTexts([aloneUnit(read.analysis)], libraryNames, appMethodNames);
  const texts = { lifted: true, columns: true, asModule: id };
  const { code, map, exports } = compileUnit(read, { firstSite, exportDeclarations: true, ...texts });
  const missing = [...free].find((name) => NOT_IN_APPS.includes(name));
  if (missing !== undefined) {
    throw new WaymarkError(`${file} uses ${missing}, which programs have under the command alone, and not as modules.`);
  }
  const head = [
    importText('waymark', free, (row) => !row?.webppl),
    importText('waymark/webppl', free, (row) => row?.webppl === true),
    free.has('_') ? "import $n__ from 'lodash';" : '',
    "import { link as $link } from 'waymark/compiled';",
    needed.lifted ? "import 'waymark/gradients';" : '',
    needed.columns || needed.recording ? "import 'waymark/columns';" : '',
    `const $ = $link({${[...free].map((name) => `${name}: $n_${name}`).join(', ')}}, [], []);`,
    'const $exports = {};',
    // On the first line, so that the map of the unit holds.
    'const $value = ',
  ].join(' ');
  const named = exports.filter((name) => name !== 'default' && WORD.test(name));
  const tail = named.map((name, i) => `const $e${i} = $exports.${name}; export { $e${i} as ${name} };`).join('\n');
  const standard = map.standard();
  return {
    code: `${head}\n${code}($, $exports, []);\nexport default $value;\n${tail}\n`,
    map: { ...standard, mappings: `;${standard.mappings}` },
  };
}
