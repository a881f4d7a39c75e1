/** What is certain about an expression without running it. */
import type { AnyNode, Expression, Node } from 'acorn';
import { bare, isFunction } from '../parse/syntax.ts';
import type { Binding } from './scope.ts';

type Resolve = (node: Node) => Binding | undefined;

const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**']);
const BITWISE = new Set(['|', '&', '^', '<<', '>>', '>>>']);
/** Variables that lead to each other are followed so far, so that the question stays cheap; beyond, nothing is certain. */
const DEPTH = 8;

/** True if the value is certainly a plain number, so that operators on it need no help. */
export function isPlainNumber(expression: Expression, resolve: Resolve, depth = DEPTH): boolean {
  if (depth === 0) return false;
  const node = bare(expression) as AnyNode;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number';
    case 'UnaryExpression':
      return (
        node.operator === '~' ||
        ((node.operator === '-' || node.operator === '+') && isPlainNumber(node.argument, resolve, depth - 1))
      );
    case 'BinaryExpression':
      if (BITWISE.has(node.operator)) return true;
      return (
        ARITHMETIC.has(node.operator) &&
        isPlainNumber(node.left as Expression, resolve, depth - 1) &&
        isPlainNumber(node.right, resolve, depth - 1)
      );
    case 'Identifier': {
      const binding = resolve(node);
      return binding !== undefined && isCounter(binding);
    }
    default:
      return false;
  }
}

/** True of variables that only ever hold numbers: a literal to start with, then `++` or `+= 2`. */
export function isCounter(binding: Binding): boolean {
  if (binding.kind !== 'let' && binding.kind !== 'var' && binding.kind !== 'const') return false;
  if (binding.startsAs !== undefined || binding.writes.length === 0) return false;
  return binding.writes.every(
    ({ operator, value }) =>
      operator === '++' || operator === '--' || (value !== undefined && isPlainNumber(value, () => undefined)),
  );
}

/** True if `+` with it is certainly concatenation of text. */
export function isPlainText(expression: Expression): boolean {
  const node = bare(expression) as AnyNode;
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

const NEVER_FUNCTIONS = new Set([
  'Literal',
  'TemplateLiteral',
  'ArrayExpression',
  'ObjectExpression',
  'BinaryExpression',
  'UnaryExpression',
  'UpdateExpression',
  'NewExpression',
]);

/** True unless the expression certainly is no function. */
export function mayBeFunction(expression: Node): boolean {
  return !NEVER_FUNCTIONS.has(bare(expression).type);
}

/** True if emitting the expression may need temporaries or addresses, which exist only inside a function's body. */
export function needsBody(expression: Node): boolean {
  const node = bare(expression) as AnyNode;
  if (isFunction(node)) return false;
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
    case 'TemplateElement':
      return node.type === 'Identifier' && node.name === 'arguments';
    case 'ArrayExpression':
      return node.elements.some((element) => element !== null && needsBody(element));
    case 'ObjectExpression':
      return node.properties.some((property) =>
        property.type === 'SpreadElement' ? needsBody(property) : property.computed || needsBody(property.value),
      );
    case 'UnaryExpression':
      // Operators mean something else in other texts, which a body has and parameters have not.
      return bare(node.argument).type !== 'Literal';
    case 'MemberExpression':
      return node.computed || node.optional || needsBody(node.object);
    default:
      return true;
  }
}
