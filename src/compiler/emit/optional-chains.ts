/**
 * `a?.b(c)` where values may be more than plain ones. What comes before `?.` is held in a variable, and looked at; what comes after it
 * is then written as it would be without, so that it means the same. (What differs is something in all lanes or executions.)
 */
import type { AnyNode, CallExpression, ChainExpression, Expression, MemberExpression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { held } from './held.ts';

type Link = MemberExpression | CallExpression;

export function emitHeldChain(e: Emission, node: ChainExpression): void {
  const links: Link[] = [];
  let current = bare(node.expression) as Expression;
  while (current.type === 'MemberExpression' || current.type === 'CallExpression') {
    links.push(current);
    current = bare(current.type === 'CallExpression' ? current.callee : current.object) as Expression;
  }
  let taken = 0;
  let open = 1;
  e.text('(');
  for (const link of links.reverse()) {
    if (link.optional) {
      const hold = (): string => {
        taken++;
        return e.fn.take();
      };
      current = link.type === 'CallExpression' ? holdCallee(e, current, hold) : holdValue(e, current, hold);
      e.text(' == null ? undefined : (');
      open++;
    }
    current =
      link.type === 'CallExpression'
        ? { ...link, optional: false, callee: current }
        : { ...link, optional: false, object: current };
  }
  e.expression(current);
  e.text(')'.repeat(open));
  e.fn.release(taken);
}

/** Writes a value that is looked at; gives what stands for it from then on. */
function holdValue(e: Emission, value: Expression, hold: () => string): Expression {
  if (value.type === 'Identifier') {
    e.expression(value);
    return value;
  }
  const name = hold();
  e.text(`(${name} = `);
  e.expression(value);
  e.text(')');
  return held(name, value.start);
}

/** The same for what is called: a method stays one of its object. */
function holdCallee(e: Emission, callee: Expression, hold: () => string): Expression {
  if (callee.type !== 'MemberExpression') return holdValue(e, callee, hold);
  const object = holdPart(e, callee.object as Expression, hold);
  const property = callee.computed ? holdPart(e, callee.property as Expression, hold) : callee.property;
  const method = { ...callee, object, property } as MemberExpression;
  e.expression(method);
  return method;
}

function holdPart(e: Emission, value: Expression, hold: () => string): Expression {
  if ((bare(value) as AnyNode).type === 'Identifier') return value;
  const part = holdValue(e, value, hold);
  e.text(', ');
  return part;
}
