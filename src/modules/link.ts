/** What compiled modules of an app are handed: `import { link } from 'waymark/compiled'`, which the compiler writes. */
import { addFunctions } from '../algebra/host-functions.ts';
import type { LiftedLinkage, Linkage } from '../compiler/linkage.ts';
import { linkageFor } from '../program/linkage.ts';
import { directHandler } from '../runtime/machine.ts';
import { onGradients } from './gradients-hook.ts';

type Names = Readonly<Record<string, unknown>>;

/** What modules use besides what programs do. */
export interface ModuleLinkage extends Linkage {
  /** The handler in force outside any inference. */
  readonly outside: unknown;
  /** Calls a function. */
  call<R>(work: () => R): R;
  /** Calls `read` once gradients can be computed, which is when some module has asked for them. */
  onGradients(read: (lifted: LiftedLinkage) => void): void;
}

const noReadings = { current: undefined, onReading() {} };

/**
 * The linkage of a module that imports these names of the library. `hosts` gives functions that compiled text may call and that
 * know nothing of it, unless they are among those that another compiled module gives as its `own`.
 */
export function link(library: Names, hosts: () => readonly unknown[], own: () => readonly unknown[]): ModuleLinkage {
  addFunctions(hosts, own);
  return Object.assign(linkageFor(library, {}, noReadings), {
    outside: directHandler,
    call: <R>(work: () => R): R => work(),
    onGradients: (read: (lifted: LiftedLinkage) => void) => onGradients(library, read),
  });
}
