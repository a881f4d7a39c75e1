/**
 * `Math` in plain text. Its functions take tensors too, and WebPPL has more of them. Where numbers are given it is the call
 * that JavaScript has, from a helper in the program's own text (`prelude.ts`).
 */
import type { AnyNode, CallExpression, Expression, MemberExpression } from 'acorn';
import { isPlainNumber } from '../analyse/certain.ts';
import { bare } from '../parse/syntax.ts';
import { plainBinding } from './differing.ts';
import type { Emission } from './emission.ts';

const host: Readonly<Record<string, unknown>> = Math as never;

/** The name of `Math.name`, unless the program means something else by `Math`. */
function mathName(e: Emission, node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || !e.isFree(bare(node.object), 'Math')) return undefined;
  return (node.property as { name: string }).name;
}

/** Whether a field of `Math` is read from `$.math` in plain text: functions that are handed on, and what WebPPL adds. */
export function isOwnMath(e: Emission, node: MemberExpression): boolean {
  const name = mathName(e, node);
  return name !== undefined && name !== 'random' && (!Object.hasOwn(host, name) || typeof host[name] === 'function');
}

/** The helper that a call of a function of `Math` goes to, if there is one for so many arguments. */
export function mathHelper(e: Emission, node: CallExpression): string | undefined {
  const name =
    e.mode === e.plain && !e.inChain && !node.optional ? mathName(e, bare(node.callee) as AnyNode) : undefined;
  const count = node.arguments.length;
  if (name === undefined || !isHostFunction(name, count)) return undefined;
  if (node.arguments.some(({ type }) => type === 'SpreadElement')) return undefined;
  const areNumbers = (node.arguments as Expression[]).every((given) =>
    isPlainNumber(given, (id) => plainBinding(e, id)),
  );
  return areNumbers ? undefined : e.prelude.math(name, count as 1 | 2);
}

/** Whether it is a function of JavaScript's that is usually given so many arguments. */
const isHostFunction = (name: string, count: number): boolean =>
  name !== 'random' && Object.hasOwn(host, name) && (host[name] as { length?: number }).length === count && count > 0;
