/** `Math` where values may stand for others. */
import { inPlaceOf } from '../runtime/in-place-of.ts';
import { forProgram } from '../runtime/throwing.ts';
import type { Domain, Fn } from './domain.ts';

interface MathDomain extends Domain {
  isNumeric(value: unknown): boolean;
  /** The function of `Math` with this name, for numbers of the domain; undefined if it is called for each one. */
  mathematical(name: string, fn: Fn): Fn | undefined;
  /** `Math.random`, whose numbers come from no stream. */
  random(): unknown;
}

/** How many numbers a function takes; undefined of functions that compare or take lists. */
function arityOf(name: string): number | undefined {
  if (name === 'min' || name === 'max' || name === 'hypot') return Infinity;
  if (name === 'sigmoid' || name === 'logGamma') return 1;
  return Object.hasOwn(Math, name) ? (Math as unknown as Record<string, Fn>)[name].length : undefined;
}

/** The functions of `math`, which has more of them than JavaScript. */
export function mathematicsOver(
  domain: MathDomain,
  math: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { isMine, isNumeric, holds, each } = domain;
  const fitted = (name: string, given: Fn): Fn => {
    const fn = forProgram(given);
    const arity = arityOf(name);
    if (arity === undefined) return (...args) => (args.some(holds) ? each(fn, args) : fn(...args));
    const own = domain.mathematical(name, given);
    return (...args) => {
      if (!args.some(isMine)) return fn(...args);
      // (As a callback it may be given more arguments.)
      const taken = args.slice(0, arity);
      return own !== undefined && taken.some(isMine) && taken.every(isNumeric) ? own(...taken) : each(fn, taken);
    };
  };
  const made = Object.entries(math).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    return [name, name === 'random' ? domain.random : inPlaceOf(value as Fn, fitted(name, value as Fn))];
  });
  return Object.fromEntries(made) as Record<string, unknown>;
}
