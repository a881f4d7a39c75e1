/** Where modules wait for what gradients need, which is large, and loaded only if some module asks for it. */
import type { LiftedLinkage } from '../compiler/linkage.ts';

type Names = Readonly<Record<string, unknown>>;
type Make = (library: Names) => LiftedLinkage;

interface Waiting {
  readonly library: Names;
  read(lifted: LiftedLinkage): void;
}

let make: Make | null = null;
const waiting: Waiting[] = [];

export function onGradients(library: Names, read: (lifted: LiftedLinkage) => void): void {
  if (make !== null) read(make(library));
  else waiting.push({ library, read });
}

/** Gradients can be computed from now on. */
export function installGradients(given: Make): void {
  make = given;
  for (const { library, read } of waiting.splice(0)) read(given(library));
}
