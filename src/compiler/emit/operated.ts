/**
 * What the two modes have in common in which operators are functions of an object, `$L` in lifted text and `$C` in that for
 * columns. Values may then be more than numbers, and conditions and indices have to be looked at. `Mode.owner` is the name of
 * the object.
 *
 * - `switch` compares its cases as `===` does. Where each case ends by itself it is a chain of `if` statements; any other is
 *   JavaScript's own, by the number of the case taken (`switches.ts`). `a ||= b` assigns what `a || b` gives
 *   (`either-side.ts`).
 * - What comes before `?.` is held in a variable, and the rest is written as if there were no `?.` (`optional-chains.ts`).
 * - Where a side throws what the program threw itself (`runtime/throwing.ts`), those that run as one part by the condition.
 *   An error of host code that a program catches ends that way of running (`caught`): perhaps not all have met it.
 * - Functions that JavaScript itself calls (iterators, `valueOf`) answer plainly (`runtime/called-by-javascript.ts`). In
 *   programs with getters no field is read on a side that is not taken (`analyse/accessors.ts`).
 * - A list has no item where an index lies outside it. Items are gathered all the same, until a step fails because of that;
 *   from then on indices are looked at first, and lanes part (`lanes/gathering.ts`).
 *
 * `test/lanes/statements.txt` is a table of statements, each run in every way and held to plain JavaScript. A new form adds a
 * row.
 */
import type {
  ConditionalExpression,
  Identifier,
  LogicalExpression,
  MemberExpression,
  NewExpression,
  UnaryExpression,
} from 'acorn';
import { ARITHMETIC, BITWISE, COMPARISONS } from '../operator-names.ts';
import { bare } from '../parse/syntax.ts';
import { emitUnary } from './arithmetic.ts';
import { emitEitherSide } from './either-side.ts';
import type { Emission, Mode, Owner } from './emission.ts';
import { emitMember } from './members.ts';
import { CLOCKS, emitHostField, emitOperatedNew, fitReference } from './operated-calls.ts';
import { emitHeldChain } from './optional-chains.ts';
import { toldFirst } from './shared-writes.ts';
import { fieldOfStandIns, isConstantText } from './taken-apart.ts';

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
      // `there` gives a value that is null or undefined for all executions, or for none of them.
      e.text(`${owner}.there(`);
      e.expression(node.left);
      e.text(') ?? ');
      e.operand(node.right);
    },

    ChainExpression: emitHeldChain,

    UnaryExpression(e: Emission, node: UnaryExpression): void {
      if (node.operator === 'delete') {
        toldFirst(e, owner, node.start, () => emitUnary(e, node), 'writing()');
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
      if (emitHostField(e, owner, node)) return;
      const field = fieldOfStandIns(node.property, node.computed);
      if (field !== undefined && !e.inChain && !e.isStore(bare(node.object))) {
        e.marked(node.property.start, `${owner}.field(`);
        e.expression(node.object);
        e.text(`, '${field}')`);
        return;
      }
      if (!node.computed || e.inChain || isConstantText(node.property)) {
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
