/** Names in what programs cannot contain, for modules of apps, where it stays host code. */
import type { AnyNode, ClassDeclaration, ClassExpression, Identifier, Node } from 'acorn';
import { children } from '../parse/syntax.ts';
import { type Binding, type BindingKind, Scope, type Write } from './scope.ts';

/** The visitor of the rest of a module. */
export interface Visitor {
  visit(node: Node, scope: Scope): void;
  visitAll(nodes: readonly Node[], scope: Scope): void;
  declare(node: Node & { name: string }, kind: BindingKind, scope: Scope): Binding;
}

/** A value that is not written down. */
export const UNKNOWN_WRITE: Write = { operator: '=', value: undefined };

/** Visits host code; true if there is nothing more to visit in it. */
export function visitHost(node: AnyNode, scope: Scope, visitor: Visitor): boolean {
  const { id, members, body } = node as { id?: Identifier | null; members?: Node[]; body?: Node };
  const declared = (inside: Scope): void => {
    if (id?.type === 'Identifier') visitor.declare(id, 'let', inside).writes.push(UNKNOWN_WRITE);
  };
  switch (node.type as string) {
    case 'ClassDeclaration':
      declared(scope);
      visitClass(node as ClassDeclaration, scope, visitor);
      return true;
    case 'ClassExpression': {
      const inner = new Scope('other block', scope);
      declared(inner);
      visitClass(node as ClassExpression, inner, visitor);
      return true;
    }
    case 'TSEnumDeclaration':
      declared(scope);
      for (const member of members ?? []) visitor.visitAll(children(member).slice(1), scope);
      return true;
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      declared(scope);
      if (body !== undefined) visitor.visitAll(children(body), new Scope('block', scope));
      return true;
    case 'MetaProperty':
    case 'PrivateIdentifier':
      return true;
    default:
      // Functions among others: what is inside is visited as ever.
      return false;
  }
}

function visitClass(node: ClassDeclaration | ClassExpression, scope: Scope, visitor: Visitor): void {
  const decorators = (of: Node): void => {
    for (const one of (of as { decorators?: Node[] }).decorators ?? []) visitor.visitAll(children(one), scope);
  };
  decorators(node);
  if (node.superClass) visitor.visit(node.superClass, scope);
  for (const member of node.body.body) {
    decorators(member);
    if (member.type === 'StaticBlock') visitor.visitAll(member.body, new Scope('function', scope));
    else if (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') {
      if (member.computed) visitor.visit(member.key, scope);
      if (member.value) visitor.visit(member.value, scope);
    }
  }
}
