/** What stands on the left of `=`, in parameters and in declarations. */
import type { AnyNode, Expression, MemberExpression, Node, Pattern } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitChangedObject, isColumnObject, isRoamingChange } from './differing.ts';
import type { Emission } from './emission.ts';
import { propertyKey } from './objects.ts';
import { emitTakenApart } from './taken-apart.ts';

export function emitPattern(e: Emission, given: Pattern): void {
  const node = bare(given) as AnyNode;
  switch (node.type) {
    case 'Identifier':
      e.marked(node.start, targetName(e, node));
      break;
    case 'ObjectPattern':
      e.text('{');
      node.properties.forEach((property, i) => {
        if (i > 0) e.text(', ');
        if (property.type === 'RestElement') emitPattern(e, property);
        else {
          propertyKey(e, property);
          e.text(': ');
          emitPattern(e, property.value);
        }
      });
      e.text('}');
      break;
    case 'ArrayPattern':
      e.text('[');
      node.elements.forEach((element, i) => {
        if (i > 0) e.text(', ');
        if (element !== null) emitPattern(e, element);
      });
      // A hole at the end only counts with a comma of its own.
      if (node.elements.at(-1) === null) e.text(',');
      e.text(']');
      break;
    case 'RestElement':
      e.text('...');
      emitPattern(e, node.argument);
      break;
    case 'AssignmentPattern':
      emitPattern(e, node.left);
      e.text(' = ');
      emitTakenApart(e, node.left, () => e.expression(node.right));
      break;
    case 'MemberExpression':
      emitMemberTarget(e, node);
      break;
    default:
      throw e.source.error('Cannot assign to this.', node.start);
  }
}

/** The emitted name of an identifier that is being declared or assigned. */
function targetName(e: Emission, node: Node & { name: string }): string {
  return e.binding(node)?.emitted ?? node.name;
}

/** `o.p` or `o[k]` as a target: plain JavaScript, unlike reads. */
export function emitMemberTarget(e: Emission, node: Extract<AnyNode, { type: 'MemberExpression' }>): void {
  emitChangedObject(e, node, isRoamingChange(e, node));
  if (node.computed) {
    e.text('[');
    emitTargetKey(e, node);
    e.text(']');
  } else e.marked(node.property.start, `.${(node.property as { name: string }).name}`);
}

/** The key of what is changed; that of an object which is each execution's own may differ. */
export function emitTargetKey(e: Emission, node: MemberExpression): void {
  const { object, property } = node;
  const differs =
    property.type !== 'Literal' && e.mode === e.columns && (isColumnObject(e, object) || isRoamingChange(e, node));
  if (differs) e.text('$C.key(');
  e.expression(property as Expression);
  if (differs) e.text(')');
}
