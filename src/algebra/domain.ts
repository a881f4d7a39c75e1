/**
 * A domain: a way of running in which a value may stand for more than itself. Columns stand for the values of many
 * executions, graph nodes for values that are computed later, recorded values for those of later executions. What
 * JavaScript's operators, conditions and functions mean on these values is written once, in this folder, over what a domain
 * answers: here, and in the extensions of this interface (`operators.ts`, `conditions.ts`, `mathematics.ts`).
 *
 * Words of this folder: _each one_ is one of the executions or iterations that run as one, and _all_ are all of them. A value
 * is _looked at_ where its plain value is needed now. All _part_ where they disagree on a value that is looked at: each group
 * of those that agree then goes on by itself.
 */
import { Copies, originOf } from './identity.ts';
import { copied } from './parts.ts';

export type Fn = (...args: unknown[]) => unknown;

/** Numbers, truth values or tensors; arrays; plain objects; or text, functions, and values of several kinds. */
export type Kind = 'number' | 'list' | 'record' | 'other';

export interface Domain {
  /** False where no value of the domain can be met. */
  readonly isActive: () => boolean;
  /** Whether many executions run as one, or one is recorded for those to come: nothing may be done that others see. */
  readonly isShared: () => boolean;
  /** Whether the value itself stands for others. */
  isMine(value: unknown): boolean;
  /** Whether the value, or something in it, stands for others. */
  holds(value: unknown): boolean;
  /** Whether what is done with the value is done again later, when the program may have changed it: it is then wanted as it is now. */
  mayChange?(value: unknown): boolean;
  /** Whether gradients go through its values: functions must then be handed these values, not the plain ones. */
  readonly isDifferentiable: boolean;
  /** The kind of values that it stands for; undefined of a plain value. */
  kindOf(value: unknown): Kind | undefined;
  /** Looks at the value: gives the plain value that all agree on. Where they do not agree, they part. */
  look(value: unknown): unknown;
  /**
   * The result of a function without effects, called with each one's own plain values. It never calls back into the program.
   * `of` is the function that calculates; left out where values are only compared.
   */
  each(fn: Fn, args: readonly unknown[], of?: Fn): unknown;
  /** Whether gradients pass through the value, or something in it. */
  carries?(value: unknown): boolean;
  /** What the function means on values of the domain, where the domain has a meaning of its own for it. */
  meaning?(fn: Fn, args: readonly unknown[]): Fn | undefined;
  /** A method of an object that knows of the domain, such as a distribution. */
  ownMethod?(object: unknown, key: PropertyKey): Fn | undefined;
}

/**
 * The value with everything in it that is the domain's looked at. An object becomes the same object wherever `copies` is
 * shared.
 */
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
