/** The mode of ordinary execution: values are plain, and so is the JavaScript. */
import type { ConditionalExpression, Expression, SequenceExpression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitAssignment, emitBinary, emitLogical, emitUnary, emitUpdate } from './arithmetic.ts';
import { emitCall, emitNew, emitSpread, emitTagged } from './calls.ts';
import type { Emission, Mode } from './emission.ts';
import { emitArrow, emitFunctionExpression } from './functions.ts';
import { emitHeld } from './held.ts';
import { emitChain, emitMember } from './members.ts';
import { marksModels } from './models.ts';
import { emitIdentifier } from './names.ts';
import { emitArray, emitLiteral, emitObject, emitTemplate } from './objects.ts';
import { marksQuiet } from './quiet.ts';
import { readsSampleFields } from './sample-fields.ts';

function emitConditional(e: Emission, node: ConditionalExpression): void {
  let rest: Expression = node;
  while (rest.type === 'ConditionalExpression') {
    e.mode.condition(e, rest.test);
    e.text(' ? ');
    e.operand(rest.consequent);
    e.text(' : ');
    rest = bare(rest.alternate);
  }
  e.operand(rest);
}

function emitSequence(e: Emission, node: SequenceExpression): void {
  e.text('(');
  node.expressions.forEach((expression, i) => {
    if (i > 0) e.text(', ');
    e.expression(expression);
  });
  e.text(')');
}

export const plainMode: Mode = {
  tellsOfWrites: false,
  expressions: {
    Identifier: marksQuiet(emitIdentifier as never),
    Literal: emitLiteral,
    ArrayExpression: emitArray,
    ObjectExpression: emitObject,
    TemplateLiteral: emitTemplate,
    FunctionExpression: marksModels(marksQuiet(emitFunctionExpression as never)),
    ArrowFunctionExpression: marksModels(marksQuiet(emitArrow as never)),
    SequenceExpression: emitSequence,
    ConditionalExpression: emitConditional,
    LogicalExpression: emitLogical,
    BinaryExpression: emitBinary,
    UnaryExpression: emitUnary,
    UpdateExpression: emitUpdate,
    AssignmentExpression: emitAssignment,
    MemberExpression: readsSampleFields(emitMember),
    ChainExpression: emitChain,
    CallExpression: emitCall,
    NewExpression: emitNew,
    TaggedTemplateExpression: emitTagged,
    SpreadElement: emitSpread,
    HeldValue: emitHeld,
  },
  condition: (e, test) => e.operand(test),
  binary: (e, operator) => e.prelude.binary(operator),
  unary: (e, name) => e.prelude.unary(name),
  math: '$.math',
  libraryName: (_e, constant) => constant,
};
