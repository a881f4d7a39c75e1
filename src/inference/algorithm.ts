import type { Distribution } from '../runtime/handler.ts';
import type { OptionTable } from './options.ts';

/** A program to infer over: a function of no arguments, whose value's distribution is wanted. */
export type Model<T> = () => T;

/** One inference algorithm: a file in this folder exports one, and `infer.ts` lists it under its name. */
export interface Algorithm<O extends object> {
  /** As in `Infer({method: name})`. */
  readonly name: string;
  readonly options: OptionTable<O>;
  run<T>(model: Model<T>, options: O): Distribution<T>;
}
