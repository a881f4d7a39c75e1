/**
 * What keeps executions from running as one: functions that change a value which others hold, unless these are functions
 * inside the one it belongs to; texts that care about that ask when they are changed (`emit/shared-writes.ts`). What is done
 * at top level does not count, since nothing of a model runs meanwhile, but for giving functions of the library other
 * names: which text of a function calls them could not be told then. Models may read `globalStore`.
 */
import type { AnyNode, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, nodesIn } from '../parse/syntax.ts';
import { AddressFree, type Call } from './address-free.ts';
import type { Analysis } from './analysis.ts';
import { STORE } from './names.ts';
import { ownObjects } from './own-objects.ts';
import { roamingObjects } from './roaming-objects.ts';
import { outsideName } from './scope.ts';
import { changesObject, isRead, reachesState } from './stateless.ts';
import { TopLevel } from './top-level.ts';

/** What a unit does that keeps executions from running as one, and where. */
export interface SideEffect {
  readonly reason: string;
  readonly offset: number;
  /** Whether what is changed is an object that a function has made (`own-objects.ts`), or may be (`roaming-objects.ts`). */
  readonly own?: boolean;
}

const CHANGES = 'functions of the program change what others see';
/** Their addresses begin with that of the call before, which is not the same in all ways of running. */
const READS = 'reading a field makes choices';
const RENAMES = 'a function of the library is given another name';

/** What a unit does that keeps executions from running as one. What an imported unit declares may be called from anywhere. */
export function* sideEffectsOf(analysis: Analysis, library: LibraryNames, isImported: boolean): Generator<SideEffect> {
  let helpers: TopLevel | undefined;
  let addressFree: AddressFree | undefined;
  const makesChoices = (accessor: Node): boolean => {
    addressFree ??= new AddressFree(analysis.calls, analysis.resolve, library);
    return nodesIn([accessor]).some((node) => isCall(node) && !addressFree!.isFreeCall(node));
  };
  const isAtTopLevel = (node: Node): boolean => {
    if (isImported) return false;
    helpers ??= new TopLevel(analysis, library);
    return helpers.includes(node);
  };
  for (const { node, scope, write } of analysis.references) {
    const binding = analysis.resolve(node);
    const home = binding?.scope.home;
    const changes = write !== undefined && home?.kind === 'unit' && scope.home !== home;
    if (changes && !isAtTopLevel(node)) yield { reason: CHANGES, offset: node.start };
    const outside = outsideName(node.name, binding);
    if (outside !== undefined && outside !== STORE && reachesState(outside, library) && !isRead(node, analysis)) {
      yield { reason: `functions of the program may use ${outside}`, offset: node.start };
    }
  }
  const waiting = analysis.program.body.map((node: Node) => ({ node, inside: false }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    if (node.type === 'Literal') continue;
    const property = node as AnyNode;
    if (property.type === 'Property' && property.kind !== 'init' && makesChoices(property.value)) {
      yield { reason: READS, offset: node.start };
    }
    const inside = next.inside || isFunction(node);
    if (inside && changesObject(bare(node) as AnyNode, analysis, library) && !isAtTopLevel(node)) {
      const change = bare(node) as AnyNode;
      const own =
        ownObjects(analysis, library).isOwnChange(change) || roamingObjects(analysis, library).isChange(change);
      yield { reason: CHANGES, offset: node.start, own };
    }
    for (const child of children(node)) {
      if (!inside && namesLibrary(child, analysis, library) && !isCallWith(node, child, analysis, library)) {
        yield { reason: RENAMES, offset: child.start };
      }
      waiting.push({ node: child, inside });
    }
  }
}

const isCall = (node: AnyNode): node is Call & AnyNode =>
  node.type === 'CallExpression' || node.type === 'NewExpression' || node.type === 'TaggedTemplateExpression';

/** True of a name of the library. */
function namesLibrary(given: Node, analysis: Analysis, library: LibraryNames): boolean {
  const node = bare(given) as AnyNode;
  if (node.type !== 'Identifier') return false;
  const name = outsideName(node.name, analysis.resolve(node));
  return name !== undefined && library.has(name) && !library.get(name)?.own;
}

/** Whether a name of the library is only called, or a field of it read, or it is an argument of another function of the library. */
function isCallWith(parent: Node, child: Node, analysis: Analysis, library: LibraryNames): boolean {
  const node = bare(parent) as AnyNode;
  switch (node.type) {
    case 'CallExpression':
      return node.callee === child || namesLibrary(node.callee, analysis, library);
    case 'MemberExpression':
      return true;
    case 'ImportSpecifier':
    case 'ImportNamespaceSpecifier':
      return true;
    // The name of a field.
    case 'Property':
      return node.key === child && node.value !== child;
    default:
      return false;
  }
}
