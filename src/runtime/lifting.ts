import type { Node } from '../tensor/node.ts';
import type { Distribution } from './handler.ts';
import { Later } from './late-module.ts';
import type { Memoised } from './memo.ts';

/**
 * What families ask when they meet a value that is no plain number or tensor. Installed by `src/lifting/`, which is loaded
 * only for programs that need gradients or lanes; without it a node as a parameter is an error.
 */
interface Lifting {
  /** The engine's operations, which take numbers, tensors and nodes alike. */
  readonly ops: typeof import('../tensor/ops.ts');
  isLifted(value: unknown): boolean;
  /** Whether a lifted value, or one that differs between lanes, is in it. */
  holds(value: unknown): boolean;
  /** What a binary operator means if an operand is lifted, by the name it has in emitted text (`add`, …). */
  binary(operator: string, a: unknown, b: unknown): unknown;
  /** One of two numbers, by a lifted condition. */
  select(condition: unknown, a: number, b: number): number;
  /** A conditional whose sides are run for those that take them. */
  branch(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown;
  /** An element of a lifted tensor. */
  element(object: unknown, index: number): unknown;
  /** A distribution with lifted parameters, or undefined if none of them is lifted. */
  distribution(family: string, given: object): Distribution<unknown> | undefined;
  /** A value that must be the same for all current lanes; they part where it is not. */
  agreed(value: unknown): unknown;
  /** What a function of `mem` that was made outside all lanes gives to those in force. */
  recalled(memo: Memoised, args: readonly unknown[]): unknown;
  /** An array of numbers that differ between lanes, as one vector; undefined for anything else. */
  vectorInLanes(value: unknown): Node | undefined;
  /** A value as the lanes in force have it, where they are some of those that it was made for. */
  narrowed<T>(value: T): T;
  /** The score of a lifted value under plain parameters. */
  score(family: string, params: object, value: unknown, prepared: unknown): number;
  /** What lifted noise is transformed to under plain parameters. */
  transform<V>(family: string, params: object, noise: V): V;
  /** `cdf`, `survival` or `quantile` of a lifted argument under plain parameters. */
  closedForm(
    family: string,
    method: 'cdf' | 'survival' | 'quantile',
    params: object,
    argument: unknown,
    prepared: unknown,
  ): number;
}

export const lifting: Later<Lifting> = new Later();
