/** Reading fields and elements. */
import type { AnyNode, ChainExpression, Expression, MemberExpression } from 'acorn';
import { STORE } from '../analyse/names.ts';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { isOwnMath } from './math.ts';

export function emitMember(e: Emission, node: MemberExpression): void {
  if (isStoreOfNamespace(e, node)) {
    e.marked(node.start, '$m.store');
    return;
  }
  if (node.computed && !e.inChain && mayBeIndex(node.property as Expression)) emitElement(e, node);
  else emitPlainMember(e, node);
}

/** `object.name` or `object[key]`, as JavaScript has it: the form for callees and inside optional chains. */
export function emitPlainMember(e: Emission, node: MemberExpression): void {
  if (isOwnMath(e, node)) e.marked(node.object.start, e.mode.math);
  else e.operand(node.object);
  emitKey(e, node);
}

/** What comes after the object. */
export function emitKey(e: Emission, node: MemberExpression): void {
  if (node.computed) {
    e.marked(node.property.start, node.optional ? '?.[' : '[');
    e.apart(() => e.expression(node.property));
    e.text(']');
  } else {
    e.marked(node.property.start, `${node.optional ? '?.' : '.'}${(node.property as { name: string }).name}`);
  }
}

/** False of keys that are certainly names. */
function mayBeIndex(property: Expression): boolean {
  const key = bare(property) as AnyNode;
  return key.type !== 'TemplateLiteral' && !(key.type === 'Literal' && typeof key.value === 'string');
}

/**
 * `o[i]`: JavaScript's own read first, at the speed of its own cache at this very place. Only if that found nothing is
 * the object looked at: a tensor has no fields of that name.
 */
function emitElement(e: Emission, node: MemberExpression): void {
  const object = simpleText(e, node.object as Expression);
  const key = simpleText(e, node.property as Expression);
  const objectName = object ?? e.fn.take();
  e.text('(');
  if (object !== undefined) e.operand(node.object);
  else {
    e.text(`(${objectName} = `);
    e.expression(node.object);
    e.text(')');
  }
  e.marked(node.property.start, '[');
  const keyName = key ?? e.fn.take();
  if (key === undefined) e.text(`${keyName} = `);
  e.expression(node.property);
  e.marked(node.property.start, `] ?? $.get(${objectName}, ${keyName}))`);
  e.fn.release((object === undefined ? 1 : 0) + (key === undefined ? 1 : 0));
}

/** The text of an operand that can be evaluated twice: a local name or a literal. */
function simpleText(e: Emission, given: Expression): string | undefined {
  const node = bare(given) as AnyNode;
  if (node.type === 'Literal' && typeof node.value === 'number') return String(node.value);
  if (node.type !== 'Identifier' || e.isStore(node)) return undefined;
  const binding = e.binding(node);
  return binding !== undefined && binding.import === undefined ? binding.emitted : undefined;
}

/** `w.globalStore`, where `w` is the library imported as a whole. */
function isStoreOfNamespace(e: Emission, node: MemberExpression): boolean {
  if (node.computed || (node.property as { name: string }).name !== STORE) return false;
  const from = e.binding(bare(node.object))?.import;
  return from !== undefined && from.module === undefined && from.name === '*';
}

export function emitChain(e: Emission, node: ChainExpression): void {
  const outer = e.inChain;
  e.inChain = true;
  e.expression(node.expression);
  e.inChain = outer;
}
