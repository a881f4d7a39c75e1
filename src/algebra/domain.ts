/**
 * A domain: a way of running in which a value may stand for more than itself. Columns stand for the values of many
 * executions, graph nodes for values that are computed later, recorded values for those of later executions. What JavaScript's
 * operators, conditions and functions mean on such values is written once, in this folder, over what a domain answers: here, and
 * in the extensions of this interface beside what needs them (`operators.ts`, `conditions.ts`, `mathematics.ts`).
 */
import { Copies, originOf } from './identity.ts';
import { copied } from './parts.ts';

export type Fn = (...args: unknown[]) => unknown;

/** Numbers, truth values or tensors; arrays; plain objects; or text, functions, and values of several kinds. */
export type Kind = 'number' | 'list' | 'record' | 'other';

export interface Domain {
  /** False where no such value can be met. */
  readonly isActive: () => boolean;
  /** Whether many run as one, or one stands for those to come: nothing may be done that others see. */
  readonly isShared: () => boolean;
  /** Whether the value itself stands for others. */
  isMine(value: unknown): boolean;
  /** Whether the value, or something in it, does. */
  holds(value: unknown): boolean;
  /** Whether gradients go through its values, so that what is handed on must be the values themselves. */
  readonly isDifferentiable: boolean;
  /** What the value stands for; undefined if for nothing but itself. */
  kindOf(value: unknown): Kind | undefined;
  /** The one plain value that it stands for; what follows depends on it. Executions that have others part. */
  look(value: unknown): unknown;
  /** What a function without effects gives of each one's own plain values. It never calls back into the program. `of` is the
   * function that calculates something, if it is not one that only compares. */
  each(fn: Fn, args: readonly unknown[], of?: Fn): unknown;
  /** Whether gradients pass through the value, or something in it. */
  carries?(value: unknown): boolean;
  /** What the function means on such arguments, if that is known here. */
  meaning?(fn: Fn, args: readonly unknown[]): Fn | undefined;
  /** A method of an object that knows of the domain, such as a distribution. */
  ownMethod?(object: unknown, key: PropertyKey): Fn | undefined;
}

/** The value with all in it that is the domain's looked at. An object is the same in all that share the copies. */
export function settle(domain: Domain, given: unknown, copies = new Copies()): unknown {
  const value = domain.isMine(given) ? domain.look(given) : given;
  if (!domain.holds(value)) return value;
  const origin = originOf(value);
  const source = domain.isMine(origin) ? domain.look(origin) : origin;
  if (source !== value && !domain.holds(source)) return source;
  return copies.of(value as object, source as object, () =>
    copied(value as object, (part) => settle(domain, part, copies)),
  );
}
