/** What compiled modules of an app are handed: `import { link } from 'waymark/compiled'`, which the compiler writes. */
import { addFunctions } from '../algebra/host-functions.ts';
import type { LiftedLinkage, Linkage } from '../compiler/linkage.ts';
import { linkageFor } from '../program/linkage.ts';
import type { Readings } from '../program/readings.ts';
import { apart } from '../runtime/known-models.ts';
import { directHandler, type ProgramFacts, type Reading } from '../runtime/machine.ts';
import { addPlaces } from '../runtime/places.ts';
import { addCalm, addLibrary, type CalmFunction, factsOf } from './app-models.ts';
import { lifting, sideBySide } from './waiting.ts';

type Names = Readonly<Record<string, unknown>>;
/** Gives a value of the module; one that is not there yet throws. */
type Given = () => unknown;

/** What modules use besides what programs do. */
export interface ModuleLinkage extends Linkage {
  /** The handler in force outside any inference. */
  readonly outside: unknown;
  /** Calls a function. */
  call<R>(work: () => R): R;
  /** Calls `read` once gradients can be computed, which is when some module has asked for them: `lifted` is then there. */
  onGradients(read: () => void): void;
  /** Names functions of the module that keep no state. */
  calm(list: readonly CalmFunction[]): void;
  /** Says where call sites are in its text: in this file, from this number on, at these lines and columns. */
  places(file: string, first: number, places: string, names: string): void;
}

/** Of all modules: a recording reads them all in its own way. */
const readings: Readings[] = [];
const functions: (() => unknown)[] = [];

function readAs(way: Reading | null): Reading | null {
  let before: Reading | null = null;
  for (const one of readings) before = one.readAs(way) ?? before;
  return before;
}

/** What is known of a model of an app, beginning with what is known of all of them. */
function modelFacts(
  known: number | string,
  values: (() => readonly unknown[]) | undefined,
): Partial<ProgramFacts> | null {
  const facts = factsOf(known, values);
  const hasText = readings.length > 0;
  return facts && { ...facts, functions, readAs, hasColumnText: hasText, hasRecordingText: hasText };
}

/**
 * The linkage of a module that imports these names of the library. `hosts` gives functions that compiled text may call and that
 * know nothing of it, unless they are among those that another compiled module gives as its `own`.
 */
export function link(library: Names, hosts: readonly Given[], own: readonly Given[]): ModuleLinkage {
  addFunctions(hosts, own);
  functions.push(...own);
  addLibrary(library);
  let mine: Readings | undefined;
  let lifted: LiftedLinkage | undefined;
  const reading = {
    get current() {
      return mine?.current;
    },
    onReading(read: () => void) {
      sideBySide.whenThere(library, (made) => {
        mine = made;
        readings.push(made);
        made.onReading(read);
      });
    },
  };
  const linkage = linkageFor(library, {}, reading);
  Object.defineProperty(linkage, 'lifted', { get: () => lifted });
  return Object.assign(linkage, {
    functions,
    outside: directHandler,
    call: <R>(work: () => R): R => work(),
    onGradients: (read: () => void) =>
      lifting.whenThere(library, (made) => {
        lifted = made;
        read();
      }),
    calm: addCalm,
    apart: <M>(given: M, known: number | string, values?: () => readonly unknown[]): M =>
      apart(given, () => modelFacts(known, values)),
    places: addPlaces,
  } as Omit<ModuleLinkage, keyof Linkage>);
}
