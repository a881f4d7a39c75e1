/** What is known of a unit once its names are resolved: what the other files of this folder and the emitter start from. */
import type { Node, Program } from 'acorn';
import type { Call } from './address-free.ts';
import type { Binding, Reference, Scope } from './scope.ts';

export interface Analysis {
  readonly program: Program;
  readonly unit: Scope;
  /** Scopes of functions, by their node. */
  readonly functions: ReadonlyMap<Node, Scope>;
  /** What an identifier stands for, used or declared; undefined if the program does not declare it. */
  resolve(identifier: Node): Binding | undefined;
  readonly references: readonly Reference[];
  /** The calls each function makes, those of functions inside it left out. */
  readonly calls: ReadonlyMap<Node, readonly Call[]>;
  /** Functions whose body mentions `arguments`. */
  readonly usesArguments: ReadonlySet<Node>;
  /** Modules imported or re-exported from, in order; the library is not among them. */
  readonly modules: readonly string[];
  /** Every name that the unit declares. */
  readonly bindings: readonly Binding[];
  /** Where the unit holds what programs cannot contain, if that stays host code and is not refused. */
  readonly hostPlaces: readonly number[];
}
