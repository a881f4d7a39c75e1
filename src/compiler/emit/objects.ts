/** Arrays, objects, literals and templates. */
import type {
  AnyNode,
  ArrayExpression,
  AssignmentProperty,
  Expression,
  Literal,
  Node,
  ObjectExpression,
  Property,
  SpreadElement,
  TemplateLiteral,
} from 'acorn';
import { bare } from '../parse/syntax.ts';
import { isCalledByLanguage } from './called.ts';
import { isRoamingObject } from './differing.ts';
import type { Emission } from './emission.ts';
import { emitMethod } from './functions.ts';

/** Forms that only sloppy code allows: legacy octal numbers and escapes. */
const LEGACY = /^0\d|\\[0-9]/;

export function emitLiteral(e: Emission, node: Literal): void {
  const raw = e.source.text.slice(node.start, node.end);
  const legacy = (typeof node.value === 'number' || typeof node.value === 'string') && LEGACY.test(raw);
  e.marked(node.start, legacy ? JSON.stringify(node.value) : raw);
}

/**
 * True of arrays and objects made of literals alone: they are copied as they stand, which keeps data of 100,000
 * numbers fast to compile.
 */
export function isData(given: Node, e: Emission): boolean {
  const open: Node[] = [given];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const any = node as AnyNode;
    if (isRoamingObject(e, any)) return false;
    switch (any.type) {
      case 'Literal':
        if (LEGACY.test(e.source.text.slice(any.start, any.end))) return false;
        break;
      case 'UnaryExpression':
        if (any.operator !== '-' || any.argument.type !== 'Literal' || typeof any.argument.value !== 'number') {
          return false;
        }
        break;
      case 'ArrayExpression':
        for (const element of any.elements) if (element !== null) open.push(element);
        break;
      case 'ObjectExpression':
        for (const property of any.properties) {
          if (property.type !== 'Property' || property.kind !== 'init' || property.computed) return false;
          if (property.shorthand || property.method || LEGACY.test(keyText(property.key, e))) return false;
          open.push(property.value);
        }
        break;
      default:
        return false;
    }
  }
  return true;
}

const keyText = (key: Node, e: Emission): string => e.source.text.slice(key.start, key.end);

export function emitArray(e: Emission, node: ArrayExpression): void {
  if (isData(node, e)) {
    e.marked(node.start, e.source.text.slice(node.start, node.end));
    return;
  }
  e.text('[');
  node.elements.forEach((element, i) => {
    if (i > 0) e.text(', ');
    if (element !== null) e.expression(element);
  });
  if (node.elements.at(-1) === null) e.text(',');
  e.text(']');
}

export function emitObject(e: Emission, node: ObjectExpression): void {
  if (isData(node, e)) {
    e.marked(node.start, e.source.text.slice(node.start, node.end));
    return;
  }
  e.text('{');
  node.properties.forEach((property, i) => {
    if (i > 0) e.text(', ');
    if (property.type === 'SpreadElement') emitFields(e, property);
    else emitProperty(e, property);
  });
  e.text('}');
}

/** `...o` in an object: a number has no fields, whatever stands for it. */
function emitFields(e: Emission, { argument }: SpreadElement): void {
  const { owner } = e.mode;
  e.text(owner === undefined ? '...(' : `...${owner}.fields(`);
  e.expression(argument);
  e.text(')');
}

function emitProperty(e: Emission, property: Property): void {
  const value = bare(property.value) as Expression;
  if (property.kind === 'init' && isCalledByLanguage(e, property.key, property.computed, value)) {
    const key = property.computed ? e.fn.take() : undefined;
    propertyKey(e, property, key);
    e.text(
      `: $.called(${key ?? `'${(property.key as { name: string }).name}'`}, ${property.method ? 'function ' : ''}`,
    );
    if (property.method) emitMethod(e, value as never);
    else e.expression(value);
    e.text(')');
    if (key !== undefined) e.fn.release(1);
    return;
  }
  if (property.kind !== 'init' || property.method) {
    if (property.kind !== 'init') e.text(`${property.kind} `);
    propertyKey(e, property);
    emitMethod(e, value as never, property.kind === 'init');
    return;
  }
  propertyKey(e, property);
  e.text(': ');
  e.expression(value);
}

/** The key of a property, in an object or in a pattern; `held` is a variable for what is computed. */
export function propertyKey(e: Emission, property: Property | AssignmentProperty, held?: string): void {
  const key = property.key as AnyNode;
  if (property.computed) {
    e.text(held === undefined ? '[' : `[${held} = `);
    e.expression(key);
    e.text(']');
  } else if (key.type === 'Identifier') {
    // `{__proto__}` makes a field, `{__proto__: x}` would set the prototype.
    e.marked(key.start, property.shorthand && key.name === '__proto__' ? '["__proto__"]' : key.name);
  } else emitLiteral(e, key as Literal);
}

export function emitTemplate(e: Emission, node: TemplateLiteral): void {
  e.marked(node.start, '`');
  node.quasis.forEach((quasi, i) => {
    e.text(quasi.value.raw);
    if (i === node.expressions.length) return;
    e.text('${');
    e.expression(node.expressions[i]);
    e.text('}');
  });
  e.text('`');
}
