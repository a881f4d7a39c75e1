/**
 * What the modes have in common in which operators are functions of an object, `$L` or `$C`: values may then be more than
 * numbers, and conditions and indices have to be looked at.
 */
import type { AnyNode, ConditionalExpression, Expression, Identifier, MemberExpression, UnaryExpression } from 'acorn';
import { ARITHMETIC, COMPARISONS } from '../operator-names.ts';
import { bare } from '../parse/syntax.ts';
import { emitUnary } from './arithmetic.ts';
import type { Emission, Mode } from './emission.ts';
import { emitMember, mayBeIndex } from './members.ts';
import { reference } from './names.ts';

/** What tells the time: another one in every step, so that it is not to be recorded. */
const CLOCKS: ReadonlySet<string> = new Set(['Date', 'performance']);

/** The object whose functions operators are. */
type Owner = '$L' | '$C';

/** What operators are called where they are functions. */
const BINARY: { readonly [operator: string]: string } = {
  ...ARITHMETIC,
  ...COMPARISONS,
  '==': 'looseEq',
  '!=': 'looseNe',
};

/** True of expressions without calls (but for Math), assignments and accesses that may fail: cheap and total. */
export function mayBeEvaluated(e: Emission, given: Expression): boolean {
  const node = bare(given) as AnyNode;
  const all = (...parts: readonly (Expression | AnyNode)[]) =>
    parts.every((part) => mayBeEvaluated(e, part as Expression));
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
      return true;
    case 'UnaryExpression':
      return node.operator !== 'delete' && all(node.argument);
    case 'BinaryExpression':
      return node.operator !== 'in' && node.operator !== 'instanceof' && all(node.left as Expression, node.right);
    case 'LogicalExpression':
      return all(node.left, node.right);
    case 'ConditionalExpression':
      return all(node.test, node.consequent, node.alternate);
    case 'MemberExpression':
      // Where reading a field fails, `choose` decides after all.
      return all(node.object as Expression, ...(node.computed ? [node.property as Expression] : []));
    case 'CallExpression':
      return isMath(e, node.callee as Expression) && all(...(node.arguments as Expression[]));
    default:
      return false;
  }
}

function isMath(e: Emission, callee: Expression): boolean {
  const node = bare(callee) as AnyNode;
  return node.type === 'MemberExpression' && !node.computed && e.isFree(bare(node.object), 'Math');
}

/** `test ? a : b` as a call that is given both sides as functions, and what `more` writes. */
export function emitChoice(e: Emission, node: ConditionalExpression, call: string, more?: () => void): void {
  e.marked(node.start, call);
  e.expression(node.test);
  e.text(', () => ');
  e.operand(node.consequent);
  e.text(', () => ');
  e.operand(node.alternate);
  more?.();
  e.text(')');
}

/** How names, operators with one operand, and elements are written. */
export function operatedExpressions(owner: Owner) {
  const wrappers: { readonly [operator: string]: string } = {
    '!': `${owner}.not(`,
    '+': `+${owner}.plain(`,
    '~': `~${owner}.plain(`,
    typeof: `${owner}.typeOf(`,
  };
  return {
    Identifier(e: Emission, node: Identifier): void {
      const isClock = CLOCKS.has(node.name) && e.isFree(node, node.name);
      const name = isClock ? `${owner}.clocks.${node.name}` : reference(e, node);
      e.marked(node.start, e.isFree(node, 'Math') ? e.mode.math : name);
    },

    UnaryExpression(e: Emission, node: UnaryExpression): void {
      const wrapper = wrappers[node.operator];
      if (wrapper === undefined) {
        emitUnary(e, node);
        return;
      }
      e.marked(node.start, wrapper);
      e.expression(node.argument);
      e.text(')');
    },

    /** `o[i]`, where the index may differ: an element is then gathered, and nothing is looked at. */
    MemberExpression(e: Emission, node: MemberExpression): void {
      if (!node.computed || e.inChain || !mayBeIndex(node.property as Expression)) {
        emitMember(e, node);
        return;
      }
      e.marked(node.property.start, `${owner}.get(`);
      e.expression(node.object);
      e.text(', ');
      e.expression(node.property);
      e.text(')');
    },
  };
}

/** How conditions are looked at, and what operators are called. */
export function operated(owner: Owner): Pick<Mode, 'condition' | 'discriminant' | 'binary' | 'unary' | 'math'> {
  return {
    condition(e, test) {
      e.text(`${owner}.truth(`);
      e.expression(test);
      e.text(')');
    },
    discriminant(e, value) {
      e.text(`${owner}.plain(`);
      e.expression(value);
      e.text(')');
    },
    binary: (_e, operator) => (operator in BINARY ? `${owner}.${BINARY[operator]}` : undefined),
    unary: (_e, name) => `${owner}.${name}`,
    math: `${owner}.math`,
  };
}
