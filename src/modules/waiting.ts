/** Where modules wait for what their texts need, which is large, and loaded only if some module asks for it. */
import type { LiftedLinkage } from '../compiler/linkage.ts';
import type { Readings } from '../program/readings.ts';

type Names = Readonly<Record<string, unknown>>;

/** One thing that modules wait for; each gets its own, made for the names of the library that it uses. */
class Waiting<T> {
  private make: ((library: Names) => T) | null = null;
  private readonly modules: { readonly library: Names; read(made: T): void }[] = [];

  /** Calls `read` once it is there. */
  whenThere(library: Names, read: (made: T) => void): void {
    if (this.make !== null) read(this.make(library));
    else this.modules.push({ library, read });
  }

  /** It is there from now on. */
  install(make: (library: Names) => T): void {
    this.make = make;
    for (const { library, read } of this.modules.splice(0)) read(make(library));
  }
}

/** For gradients. */
export const lifting = new Waiting<LiftedLinkage>();

/** For executions side by side, and recordings. */
export const sideBySide = new Waiting<Readings>();
