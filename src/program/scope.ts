/** The names programs see without declaring them, and what they stand for. */
import { addHostModule, addLater } from '../algebra/host-modules.ts';
import type { ReadUnit } from '../compiler/compile.ts';
import type { LibraryNames } from '../compiler/library-names.ts';
import { assertModule, lodashModule, requireIn } from '../host/modules.ts';
import { parseArgv } from '../library/argv.ts';
import { libraryRows, namesKnown } from '../library/rows.ts';
import { WaymarkError } from '../runtime/errors.ts';
import * as api from '../scope.ts';
import { hostModules } from './host-module.ts';
import { followsSeed, loadWithHostRandom } from './host-random.ts';

const offered: Readonly<Record<string, unknown>> = api;

/** Every name of the library, and what the compiler is to know of it. */
export const libraryNames: LibraryNames = namesKnown(offered, libraryRows);

/** The names in one of the library's objects, such as `T`, or in JavaScript's own. */
export function fieldsOfLibrary(name: string): string[] | undefined {
  const value = offered[name] ?? (name === 'Math' ? Math : undefined);
  return typeof value === 'object' || typeof value === 'function' ? Object.getOwnPropertyNames(value) : undefined;
}

/** What `.js` modules see without import. */
export const ambientNames: ReadonlySet<string> = new Set(['require']);

interface Lodash {
  runInContext(): Lodash;
  random(from: number, to: number, isFloating: boolean): number;
}

/** Things that are loaded only if a program mentions them. */
export interface Extras {
  lodash?: Lodash;
  /** Whether the program uses functions of lodash that remember something: each run then has a lodash of its own. */
  ownLodash?: boolean;
  assert?: unknown;
  lifting?: typeof import('../lifting/linkage.ts');
  columns?: typeof import('../lanes/columns/linkage.ts');
  /** Whether the program's text for columns is there for recordings. */
  recording?: boolean;
}

/** Loads lodash, or gives it again. */
async function lodash(): Promise<Lodash> {
  const module = (await loadWithHostRandom(lodashModule)) as Lodash;
  // Loaded when others ran, or by the app: this copy is made now.
  return followsSeed(() => module.random(0, 1, true)) ? module : loadWithHostRandom(() => module.runInContext());
}

/** The names of the library that a unit uses. */
export function namesUsed({ free, analysis }: ReadUnit): Set<string> {
  const names = new Set(free);
  for (const { import: from } of analysis.unit.names.values()) {
    if (from !== undefined && from.module === undefined) names.add(from.name);
  }
  return names;
}

/** Loads what the names of a unit ask for. */
export const loadExtras = (unit: ReadUnit, extras: Extras): Promise<void> =>
  loadNamed(namesUsed(unit), unit.changesLodash, extras);

/** Loads what these names of the library ask for. */
export async function loadNamed(names: ReadonlySet<string>, changesLodash: boolean, extras: Extras): Promise<void> {
  // Text given to webpplEval is only seen when it is too late to load anything.
  const everything = names.has('webpplEval');
  if (everything || names.has('_')) extras.lodash ??= await lodash();
  extras.ownLodash ||= everything || changesLodash;
  if (everything || names.has('assert')) extras.assert ??= await assertModule();
}

/** The library as one run of a program sees it. */
export function libraryFor(extras: Extras, file: string, args: readonly string[]): Readonly<Record<string, unknown>> {
  const { ownLodash } = extras;
  const lodash = ownLodash && extras.lodash ? loadWithHostRandom(() => extras.lodash!.runInContext()) : extras.lodash;
  if (ownLodash) addHostModule(lodash);
  else addLater(lodash);
  return {
    // Behind it and not copied: there are hundreds of names, of which a program looks at a few.
    __proto__: offered,
    _: lodash,
    assert: extras.assert,
    argv: parseArgv(args),
    _top: globalThis,
    get require() {
      hostModules.used++;
      return required(file);
    },
  };
}

/** `require`, of modules that are not compiled. */
function required(file: string): unknown {
  const require = requireIn(file);
  if (typeof require !== 'function') return require;
  return Object.assign((name: string): unknown => {
    const module: unknown = found(name, require as (name: string) => unknown);
    addHostModule(module);
    return module;
  }, require);
}

/** Node's own words name the files that asked for one another. */
function found(name: string, require: (name: string) => unknown): unknown {
  try {
    return require(name);
  } catch (error) {
    const [, missing] = /^Cannot find module '([^']*)'/.exec((error as Error).message) ?? [];
    if (missing === undefined) throw error;
    const what = missing === name ? `There is no module '${name}'` : `'${name}' needs '${missing}', which is not there`;
    const remedy = /^[./]/.test(missing)
      ? 'Paths are relative to the file of the program'
      : `npm install ${missing} may help`;
    throw new WaymarkError(`${what}. ${remedy}.`);
  }
}
