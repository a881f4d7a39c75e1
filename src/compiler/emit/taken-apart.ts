/**
 * Names of fields that objects standing for numbers have and numbers have not (tensors have others), and patterns that read them.
 * (`test/lanes/number-fields.test.ts` holds the list to the fields that there are.)
 */
import type { AnyNode, ArrayPattern, Expression, Node, ObjectPattern } from 'acorn';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

const FIELDS_OF_STAND_INS: ReadonlySet<string> = new Set([
  ...['constructor', 'data', 'length', 'dims', 'rank', 'toJSON'],
  ...['visit', 'slot', 'gathered', 'op', 'inputs', 'attributes', 'shape', 'dtype', 'space', 'value', 'elements'],
  ...['own', 'group', 'isTruth', 'finite', 'below', 'belowNumbers', 'numbers', 'isFinite', 'bring', 'node'],
  // Methods of numbers. Values that stand for numbers do not have them.
  ...['toExponential', 'toFixed', 'toPrecision', 'toString', 'valueOf', 'toLocaleString'],
]);

/** The name, if it is one of those, of what is read as `o.name`, `o['name']` or `{name: …}`. */
export function fieldOfStandIns(given: Node, computed: boolean): string | undefined {
  const name = computed ? constantText(given) : nameOf(given);
  return name !== undefined && FIELDS_OF_STAND_INS.has(name) ? name : undefined;
}

function nameOf(given: Node): string | undefined {
  const node = bare(given) as AnyNode;
  return node.type === 'Identifier' ? node.name : constantText(node);
}

function constantText(given: Node): string | undefined {
  const node = bare(given) as AnyNode;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0].value.cooked ?? undefined;
}

/** Whether what stands between brackets is a name. */
export const isConstantText = (property: Node): boolean => constantText(property) !== undefined;

/** The parts of a pattern that are to be fit: see `algebra/taken-apart.ts`. */
type Parts = Items | { fields: (Parts | null)[] };
type Items = { items: (Parts | null)[]; more?: true };

/** Those of a pattern; undefined where it reads no such fields. */
function partsOf(given: Node | null): Parts | undefined {
  const node = given && (bare(given) as AnyNode);
  if (node?.type === 'AssignmentPattern') return partsOf(node.left);
  if (node?.type === 'RestElement') return partsOf(node.argument);
  if (node?.type === 'ArrayPattern') {
    const parts = itemsOf(node);
    return parts.items.some((part) => part !== null) ? parts : undefined;
  }
  if (node?.type !== 'ObjectPattern') return undefined;
  const fields = fieldsOf(node);
  return readsStandIns(node) || fields.some((part) => part !== null) ? { fields } : undefined;
}

const fieldsOf = ({ properties }: ObjectPattern): (Parts | null)[] =>
  properties.map((property) => (property.type === 'RestElement' ? null : (partsOf(property.value) ?? null)));

const readsStandIns = ({ properties }: ObjectPattern): boolean =>
  properties.some(
    (property) =>
      property.type === 'RestElement' || property.computed || fieldOfStandIns(property.key, false) !== undefined,
  );

/** What `...` collects is a list, so that the parts of its own pattern belong to the items themselves. */
function itemsOf({ elements }: ArrayPattern): Items {
  const last = elements.at(-1);
  if (last?.type !== 'RestElement') return { items: elements.map((element) => partsOf(element) ?? null) };
  const before = elements.slice(0, -1).map((element) => partsOf(element) ?? null);
  const collecting = bare(last.argument) as AnyNode;
  if (collecting.type === 'ArrayPattern') {
    const { items, more } = itemsOf(collecting);
    return { items: [...before, ...items], more };
  }
  if (collecting.type !== 'ObjectPattern') return { items: before };
  const fields = fieldsOf(collecting);
  const items: (Parts | null)[] = [];
  for (const [i, property] of collecting.properties.entries()) {
    const part = fields[i];
    if (part === null || property.type === 'RestElement') continue;
    // Which item is meant is not known here.
    if (property.computed) return { items: [...before, part], more: true };
    const name = property.key.type === 'Literal' ? property.key.value : undefined;
    if (Number.isInteger(Number(name))) items[Number(name)] = part;
  }
  return { items: [...before, ...Array.from(items, (part) => part ?? null)] };
}

/** Whether a pattern reads fields that what stands for a number has of its own, in some text of the program. */
export function mayTakeStandInsApart(e: Emission, pattern: Node): boolean {
  return (e.second !== undefined || e.columns !== undefined) && partsOf(pattern) !== undefined;
}

/** Writes what a pattern takes apart. */
export function emitTakenApart(e: Emission, pattern: Node, emitSource: () => void): void {
  const parts = e.mode.owner === undefined ? undefined : partsOf(pattern);
  if (parts === undefined) {
    emitSource();
    return;
  }
  e.text(`${e.mode.owner}.apart(`);
  emitSource();
  e.text('fields' in parts && parts.fields.every((part) => part === null) ? ')' : `, ${JSON.stringify(parts)})`);
}

/** Writes `pattern = source` as an expression, whose value is the source, if the pattern reads such fields. */
export function emitAssignmentApart(e: Emission, pattern: Node, source: Expression): boolean {
  if (e.mode.owner === undefined || partsOf(pattern) === undefined) return false;
  const held = e.fn.take();
  e.text(`(${held} = `);
  e.expression(source);
  e.text(', ');
  e.pattern(pattern as never);
  e.text(' = ');
  emitTakenApart(e, pattern, () => e.text(held));
  e.text(`, ${held})`);
  e.fn.release(1);
  return true;
}
