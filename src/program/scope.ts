/** The names programs see without declaring them, and what they stand for. */
import { assertModule, lodashModule, requireIn } from '../host/modules.ts';
import * as api from '../index.ts';
import { parseArgv } from '../library/argv.ts';
import { pureNames as pureLibraryNames } from '../library/pure.ts';
import { hostModules } from './host-module.ts';
import { loadWithHostRandom } from './host-random.ts';

const offered: Readonly<Record<string, unknown>> = api;

/** Conveniences of the command line and of WebPPL that are no part of the API. */
const CONVENIENCES = ['_', 'assert', 'require', '_top'];

/** Every name of the library. */
export const libraryNames: ReadonlySet<string> = new Set([...Object.keys(offered), ...CONVENIENCES]);

/** What `.js` modules see without import. */
export const ambientNames: ReadonlySet<string> = new Set(['require']);

/** Functions that never make a choice and never call the program back, constructors of distributions among them. */
export const pureNames: ReadonlySet<string> = new Set([
  ...pureLibraryNames,
  ...Object.keys(offered).filter((name) => {
    const value = offered[name];
    return typeof value === 'function' && 'family' in value;
  }),
]);

interface Lodash {
  runInContext(): Lodash;
}

/** What lodash remembers, or can be told to do otherwise. */
const REMEMBERING = /\b(uniqueId|mixin|templateSettings|noConflict)\b/;

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
export async function lodash(): Promise<Lodash> {
  const loaded = loadWithHostRandom(lodashModule);
  if (!(loaded instanceof Promise)) return loaded as Lodash;
  // Loaded when others run: this copy is made now.
  const module = (await loaded) as Lodash;
  return loadWithHostRandom(() => module.runInContext());
}

/** Loads what the free names of a unit ask for. */
export async function loadExtras(free: ReadonlySet<string>, source: string, extras: Extras): Promise<void> {
  // Text given to webpplEval is only seen when it is too late to load anything.
  const everything = free.has('webpplEval');
  if (everything || free.has('_')) extras.lodash ??= await lodash();
  extras.ownLodash ||= everything || REMEMBERING.test(source);
  if (everything || free.has('assert')) extras.assert ??= await assertModule();
}

/** The library as one run of a program sees it. */
export function libraryFor(extras: Extras, file: string, args: readonly string[]): Readonly<Record<string, unknown>> {
  const { lodash, ownLodash } = extras;
  return {
    // Behind it and not copied: there are hundreds of names, of which a program looks at a few.
    __proto__: offered,
    _: ownLodash ? lodash && loadWithHostRandom(() => lodash.runInContext()) : lodash,
    assert: extras.assert,
    argv: parseArgv(args),
    _top: globalThis,
    get require() {
      hostModules.used++;
      return requireIn(file);
    },
  };
}
