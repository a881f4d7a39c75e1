/**
 * Objects that functions make and change, and that may go by several names: `arms[k].wins++`, `move(agent)`. Which object is
 * changed is found when that happens: those that are made in functions, and may be meant by some change, are each execution's own
 * (`lanes/columns/own-object.ts`, and `lanes/own-objects.ts` in the graph), and any other object keeps executions from running side by side.
 */
import type { AnyNode, MemberExpression, Node, ObjectExpression } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { once } from '../once.ts';
import { bare, nodesOf } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { KEYED_MUTATORS, OWN_MUTATORS } from './hosts.ts';
import { ownObjects } from './own-objects.ts';

export const roamingObjects = once(
  (analysis: Analysis, library: LibraryNames) => new RoamingObjects(analysis, library),
);

class RoamingObjects {
  /** Fields that are changed somewhere, of objects that are not known by one name. */
  private readonly fields = new Set<string>();
  private changesAnyField = false;
  private changesLists = false;
  private changesKeyed = false;

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    for (const node of nodesOf(analysis.program)) {
      for (const member of this.changedBy(node)) this.note(member, node.type === 'CallExpression');
    }
  }

  /** Whether all that a node changes are objects which are found to be each execution's own when they are changed, or not. */
  isChange(node: AnyNode): boolean {
    return this.changedBy(node).length > 0;
  }

  /** Whether `object.field`, or `object.method(…)`, is such a change where it is assigned to or called. */
  isChanged(member: MemberExpression): boolean {
    return !ownObjects(this.analysis, this.library).has(member.object) && this.isLocal(member);
  }

  /** Whether an expression makes an object that some change may mean. */
  isMade(node: AnyNode): boolean {
    switch (node.type) {
      case 'ObjectExpression':
        return this.isMadeObject(node);
      case 'ArrayExpression':
        return this.changesLists || this.changesAnyField;
      case 'NewExpression':
      case 'CallExpression': {
        if (!this.changesLists && !this.changesAnyField && !this.changesKeyed) return false;
        const own = ownObjects(this.analysis, this.library);
        return (node.type === 'NewExpression' && own.isNewKeyed(node)) || own.isNew(node);
      }
      default:
        return false;
    }
  }

  private isMadeObject({ properties }: ObjectExpression): boolean {
    if (!properties.every((property) => property.type === 'SpreadElement' || property.kind === 'init')) return false;
    if (this.changesAnyField) return true;
    return (
      this.fields.size > 0 &&
      properties.some(
        (property) => property.type === 'SpreadElement' || property.computed || this.fields.has(nameOf(property.key)),
      )
    );
  }

  /** The fields or methods by which a node changes such objects; none if it changes nothing, or something else. */
  private changedBy(node: AnyNode): readonly MemberExpression[] {
    const targets = targetsOf(node);
    if (targets === undefined || ownObjects(this.analysis, this.library).isOwnChange(node)) return [];
    const members = targets.map((target) => bare(target) as AnyNode);
    return members.every((member) => member.type === 'MemberExpression' && this.isLocal(member))
      ? (members as MemberExpression[])
      : [];
  }

  private note({ computed, property }: MemberExpression, isCall: boolean): void {
    const name = computed ? undefined : nameOf(property);
    if (!isCall) {
      if (name === undefined) this.changesAnyField = true;
      else this.fields.add(name);
    } else if (OWN_MUTATORS.has(name!)) this.changesLists = true;
    else this.changesKeyed = true;
  }

  /** Whether what is changed is reached from a variable of a function, or what one gives: what is reached from others outlives executions. */
  private isLocal(member: MemberExpression): boolean {
    let node: AnyNode = member;
    // (What comes after `?.` is written as it stands.)
    for (; node.type === 'MemberExpression'; node = bare(node.object) as AnyNode) if (node.optional) return false;
    if (node.type === 'CallExpression') return true;
    if (node.type !== 'Identifier') return false;
    const binding = this.analysis.resolve(node);
    return binding !== undefined && binding.scope.home.kind === 'function';
  }
}

const nameOf = (key: Node): string => {
  const node = key as AnyNode;
  return node.type === 'Identifier' ? node.name : String((node as { value?: unknown }).value);
};

/** What is assigned to, or the method by which an object is changed. */
function targetsOf(node: AnyNode): readonly Node[] | undefined {
  switch (node.type) {
    case 'AssignmentExpression': {
      const left = bare(node.left) as AnyNode;
      if (left.type !== 'ArrayPattern') return [left];
      return left.elements.every((element) => element !== null) ? (left.elements as readonly Node[]) : undefined;
    }
    case 'UpdateExpression':
      return [node.argument];
    case 'CallExpression': {
      const callee = bare(node.callee) as AnyNode;
      if (callee.type !== 'MemberExpression' || callee.computed || node.optional) return undefined;
      const { name } = callee.property as { name: string };
      return OWN_MUTATORS.has(name) || KEYED_MUTATORS.has(name) ? [callee] : undefined;
    }
    default:
      return undefined;
  }
}
