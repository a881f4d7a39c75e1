/** What lifted text uses in place of methods of the host that would not know a node for a number. */
import { inEachLane } from '../lanes/lane-comparison.ts';
import { variedOf } from '../lanes/value.ts';
import { settled } from '../runtime/force.ts';
import { Node } from '../tensor/node.ts';
import { operators } from './operators.ts';

type Any = (...args: unknown[]) => unknown;

/** The function with its answers looked at. */
export function answering(fn: unknown): unknown {
  if (typeof fn !== 'function') return fn;
  return function (this: unknown, ...args: unknown[]): unknown {
    return operators.plain((fn as Any).apply(this, args));
  };
}

/** `indexOf`, `lastIndexOf` or `includes` of an array or a text, any of whose items may be nodes. */
export function search(where: unknown, method: string, ...args: unknown[]): unknown {
  const isLifted = (value: unknown): boolean => value instanceof Node || variedOf(value) !== undefined;
  const isList = variedOf(where) === undefined && Array.isArray(where);
  if (isList && where.some((item) => variedOf(item) !== undefined)) {
    return inEachLane((at) => (where.map(at) as unknown as Record<string, Any>)[method](...args.map(at)));
  }
  const among = isList && where.some((item) => item instanceof Node);
  const within = among ? settled(where) : args.some(isLifted) ? operators.plain(where) : where;
  return (within as Record<string, Any>)[method](...args.map(operators.plain));
}
