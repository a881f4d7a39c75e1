/**
 * What the modes have in common in which operators are functions of an object, `$L` or `$C`: values may then be more than
 * numbers, and conditions and indices have to be looked at.
 */
import type {
  ConditionalExpression,
  Expression,
  Identifier,
  LogicalExpression,
  MemberExpression,
  NewExpression,
  UnaryExpression,
} from 'acorn';
import { ARITHMETIC, BITWISE, COMPARISONS } from '../operator-names.ts';
import { emitUnary } from './arithmetic.ts';
import { emitHeldChain } from './chains.ts';
import { emitEitherSide } from './either-side.ts';
import type { Emission, Mode, Owner } from './emission.ts';
import { emitMember, mayBeIndex } from './members.ts';
import { CLOCKS, emitHostField, emitOperatedNew, fitReference } from './operated-calls.ts';
import { guarded } from './shared-writes.ts';

/** Fields of tensors, which nodes have other ones of their own under. */
const TENSOR_FIELDS: ReadonlySet<string> = new Set(['data', 'length', 'dims', 'rank']);

/** What operators are called where they are functions. */
const BINARY: { readonly [operator: string]: string } = {
  ...ARITHMETIC,
  ...COMPARISONS,
  ...BITWISE,
  '==': 'looseEq',
  '!=': 'looseNe',
  in: 'inside',
  instanceof: 'instanceOf',
};

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
    '+': `${owner}.number(`,
    '~': `${owner}.bitNot(`,
    typeof: `${owner}.typeOf(`,
  };
  return {
    Identifier(e: Emission, node: Identifier): void {
      const isClock = CLOCKS.has(node.name) && e.isFree(node, node.name);
      const name = isClock ? `${owner}.clocks.${node.name}` : fitReference(e, owner, node);
      e.marked(node.start, e.isFree(node, 'Math') ? e.mode.math : name);
    },

    LogicalExpression(e: Emission, node: LogicalExpression): void {
      e.out.mark(node.start);
      if (node.operator !== '??') {
        emitEitherSide(e, owner, node.operator, () => e.expression(node.left), node.right);
        return;
      }
      // What differs is something for all, or for none, once it is known to be there.
      e.text(`${owner}.there(`);
      e.expression(node.left);
      e.text(') ?? ');
      e.operand(node.right);
    },

    ChainExpression: emitHeldChain,

    UnaryExpression(e: Emission, node: UnaryExpression): void {
      if (node.operator === 'delete') {
        guarded(e, owner, node.start, () => emitUnary(e, node));
        return;
      }
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
      if (owner === '$L' && !node.computed && !e.inChain && TENSOR_FIELDS.has((node.property as Identifier).name)) {
        e.marked(node.property.start, '$L.field(');
        e.expression(node.object);
        e.text(`, '${(node.property as Identifier).name}')`);
        return;
      }
      if (emitHostField(e, owner, node)) return;
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

    NewExpression: (e: Emission, node: NewExpression): void => emitOperatedNew(e, owner, node),
  };
}

/** How conditions are looked at, and what operators are called. */
export function operated(owner: Owner): Pick<Mode, 'owner' | 'condition' | 'binary' | 'unary' | 'math'> {
  return {
    owner,
    condition(e, test) {
      e.text(`${owner}.truth(`);
      e.expression(test);
      e.text(')');
    },
    binary: (_e, operator) => (operator in BINARY ? `${owner}.${BINARY[operator]}` : undefined),
    unary: (_e, name) => `${owner}.${name}`,
    math: `${owner}.math`,
  };
}
