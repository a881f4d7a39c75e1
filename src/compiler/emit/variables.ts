/** Declarations, and expressions whose value is not used. */
import type { Expression, VariableDeclaration } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitUpdateStatement } from './arithmetic.ts';
import { isOwnObject } from './differing.ts';
import type { Emission } from './emission.ts';
import { emitTakenApart } from './taken-apart.ts';

/** An expression as a statement, or as a part of a loop's head. */
export function emitUnused(e: Emission, given: Expression): void {
  const expression = bare(given);
  if (expression.type === 'UpdateExpression' && !e.mode.tellsOfWrites) {
    emitUpdateStatement(e, expression);
    return;
  }
  // A statement must not start with a brace or a word that would make it another statement.
  const parenthesised = /^(\{|function\b|let\b)/.test(e.source.text.slice(expression.start, expression.start + 9));
  if (parenthesised) e.text('(');
  e.expression(expression);
  if (parenthesised) e.text(')');
}

/** `var a = 1, b = 2`, without what ends it. */
export function emitDeclarators(e: Emission, node: VariableDeclaration): void {
  // Each turn of a loop whose variables may be kept has its own.
  const isOwn = node.kind === 'var' && e.mayReturn && e.fn.loop?.keeps === true;
  e.marked(node.start, `${isOwn ? 'let' : node.kind} `);
  node.declarations.forEach(({ id, init }, i) => {
    if (i > 0) e.text(', ');
    e.pattern(id);
    if (!init) return;
    const isOwn = isOwnObject(e, id);
    e.text(isOwn ? ` = ${e.mode.owner}.own(` : ' = ');
    emitTakenApart(e, id, () => e.expression(init));
    if (isOwn) e.text(')');
  });
}
