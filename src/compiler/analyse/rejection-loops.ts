/**
 * Loops that reject: each round draws anew, without a trace of the rounds before it, until one is accepted. A handler that
 * proposes for a program must know of them, since choices of rejected rounds do not count in the result
 * (`runtime/rejection.ts`).
 *
 *     while (true) { const x = uniform(-1, 1); if (x * x < 0.5) return x; }
 *     do { x = uniform(-1, 1); } while (x * x > 0.5);
 *     const f = () => { const x = uniform(-1, 1); return x * x < 0.5 ? x : f(); };
 *
 * A loop is one of them only if that is certain: it weighs nothing, changes nothing that outlives the round but variables that every round
 * sets before it reads them, and calls only functions of which the same is known.
 */
import type { AnyNode, DoWhileStatement, ForStatement, Function as FunctionNode, Node, WhileStatement } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, isLoop, nodesIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { HOST_GLOBALS, OUTSIDE_NAMES, STATEFUL_NAMES } from './hosts.ts';
import { type Binding, outsideName, type Scope } from './scope.ts';
import { changesObject } from './stateless.ts';

type Loop = WhileStatement | ForStatement | DoWhileStatement;

export class RejectionLoops {
  private readonly found = new Map<Node, ReadonlySet<Node> | null>();
  private readonly harmless = new Map<Node, boolean>();

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {}

  /** Where a loop is left with a round that is accepted: statements, or its test; null if it is no loop of the kind. */
  exitsOf(loop: Loop): ReadonlySet<Node> | null {
    let exits = this.found.get(loop);
    if (exits === undefined) {
      exits = this.look(loop);
      this.found.set(loop, exits);
    }
    return exits;
  }

  private look(loop: Loop): ReadonlySet<Node> | null {
    const exits = loop.type === 'DoWhileStatement' ? testOf(loop) : endless(loop) ? leavings(loop) : null;
    if (exits === null || exits.size === 0) return null;
    const statements = loop.body.type === 'BlockStatement' ? loop.body.body : [loop.body];
    return this.leavesNoTrace(loop, new Set(statements)) ? exits : null;
  }

  /** Whether a function calls itself to draw anew, and for nothing else. `hasValue`: the last statement is what it returns. */
  isRejecting(fn: FunctionNode, isSelfCall: (node: AnyNode) => boolean, hasValue: boolean): boolean {
    const returned = returnedBy(fn, hasValue);
    const again = returned?.filter(isSelfCall) ?? [];
    if (returned === null || again.length === 0 || again.length === returned.length) return false;
    const names = fn.params.map((parameter) => (parameter as { name?: string }).name);
    const isSame = (call: AnyNode): boolean => {
      const given = (call as unknown as { arguments: AnyNode[] }).arguments;
      return given.length === names.length && given.every((one, i) => nameOf(one) === names[i]);
    };
    if (!again.every(isSame) || again.length !== nodesIn([fn.body]).filter(isSelfCall).length) return false;
    const parameters = new Set(fn.params.map((parameter) => this.analysis.resolve(parameter)));
    const isChanged = this.analysis.references.some(
      ({ node, write }) => write !== undefined && parameters.has(this.analysis.resolve(node)),
    );
    return !isChanged && this.leavesNoTrace(fn, new Set(), fn);
  }

  /** Whether nothing of a round is left after it, but variables that the statements of the round set first. */
  private leavesNoTrace(round: Node, statements: ReadonlySet<Node>, self?: Node): boolean {
    const set = new Map<Binding, number>();
    const waiting: { readonly node: AnyNode; readonly isOwn: boolean }[] = [{ node: round as AnyNode, isOwn: false }];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const { node, isOwn } = at;
      if (this.isTrace(node, self)) return false;
      if (node.type === 'AssignmentExpression' && node.operator === '=' && isOwn && node.left.type === 'Identifier') {
        const binding = this.analysis.resolve(node.left);
        if (binding !== undefined && !set.has(binding)) set.set(binding, node.end);
      }
      if (node.type === 'VariableDeclaration' && statements.has(node)) {
        for (const { id, init, end } of node.declarations) {
          const binding = init ? this.analysis.resolve(id) : undefined;
          if (binding !== undefined) set.set(binding, end);
        }
      }
      const isStatement = node.type === 'ExpressionStatement' && statements.has(node);
      // In reverse, so that nodes are visited in the order of the text.
      for (const child of children(node).reverse()) waiting.push({ node: child as AnyNode, isOwn: isStatement });
    }
    return this.variablesAreFresh(round, set);
  }

  /** Whether variables from outside of the round that it writes are set before anything else is done with them. */
  private variablesAreFresh(round: Node, set: ReadonlyMap<Binding, number>): boolean {
    const isInside = (place: number): boolean => place >= round.start && place < round.end;
    const inside = this.analysis.references.filter(({ node }) => isInside(node.start));
    const bindingOf = (node: Node): Binding | undefined => this.analysis.resolve(node);
    // What is declared with `var` in a loop is there before and after a round.
    const homes = new Set<Scope>();
    for (const [fn, scope] of this.analysis.functions) if (isInside(fn.start)) homes.add(scope);
    const isOfRound = ({ kind, scope, declaredAt }: Binding): boolean =>
      kind === 'var' ? homes.has(scope.home) : isInside(declaredAt);
    const changed = new Set<Binding>();
    for (const { node, write } of inside) {
      const binding = bindingOf(node);
      if (write !== undefined && binding !== undefined && !isOfRound(binding)) changed.add(binding);
    }
    for (const binding of this.analysis.bindings) {
      if (binding.kind === 'var' && isInside(binding.declaredAt) && !isOfRound(binding)) changed.add(binding);
    }
    return [...changed].every((binding) => {
      const end = set.get(binding);
      if (end === undefined) return false;
      // The first mention is the one that sets it; what is before its end is that one alone.
      const before = inside.filter(({ node }) => bindingOf(node) === binding && node.start < end);
      return before.length <= 1 && before.every(({ write }) => write !== undefined) && !this.isKept(binding, round);
    });
  }

  /** Whether functions that were made in a round may see a variable, which later rounds set anew. */
  private isKept(binding: Binding, round: Node): boolean {
    return this.analysis.references.some(
      ({ node, scope }) =>
        node.start >= round.start &&
        node.start < round.end &&
        this.analysis.resolve(node) === binding &&
        scope.home !== binding.scope.home,
    );
  }

  /** Whether a node does something that outlives a round, or that cannot be known. */
  private isTrace(node: AnyNode, self: Node | undefined): boolean {
    if (UNKNOWN.has(node.type) || changesObject(node, this.analysis, this.library)) return true;
    if (node.type === 'Identifier') return this.isTraceOfName(node, self);
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
    const callee = bare(node.callee) as AnyNode;
    if (callee.type === 'Identifier')
      return !this.isKnown(callee, self) || !this.callsBackKnown(node as never, callee.name);
    if (callee.type === 'MemberExpression') return !this.isKnownMethod(callee);
    return !isFunction(callee);
  }

  /** Names of functions of the program are looked at wherever they stand: any function that is given one may call it. */
  private isTraceOfName(node: Extract<AnyNode, { type: 'Identifier' }>, self: Node | undefined): boolean {
    const binding = this.analysis.resolve(node);
    const name = outsideName(node.name, binding);
    if (name !== undefined && (STATEFUL_NAMES.has(name) || OUTSIDE_NAMES.has(name))) return true;
    const fn = functionOf(binding);
    return fn !== undefined && fn !== self && !this.isHarmless(fn);
  }

  private isKnown(callee: AnyNode & { type: 'Identifier' }, self: Node | undefined): boolean {
    const binding = this.analysis.resolve(callee);
    const name = outsideName(callee.name, binding);
    if (name === undefined) {
      const fn = functionOf(binding);
      return fn !== undefined && (fn === self || this.isHarmless(fn));
    }
    const about = this.library.get(name);
    if (about === undefined) return HOST_GLOBALS.has(name);
    const { weighs, leavesTrace, infers, state, outside, params, keeps, steps, own } = about;
    return !(weighs || leavesTrace || infers || state || outside || params || keeps || steps || own);
  }

  /** A function that the library calls back must be there to be looked at. */
  private callsBackKnown(call: { readonly arguments: readonly AnyNode[] }, name: string): boolean {
    const place = this.library.get(name)?.calls;
    if (place === undefined) return true;
    const given = call.arguments[place] === undefined ? undefined : (bare(call.arguments[place]) as AnyNode);
    if (given === undefined || isFunction(given)) return true;
    if (given.type !== 'Identifier') return false;
    const binding = this.analysis.resolve(given);
    return functionOf(binding) !== undefined || outsideName(given.name, binding) !== undefined;
  }

  /** Methods of JavaScript's objects and of values; a function that is a field of an object may do anything. */
  private isKnownMethod(callee: Extract<AnyNode, { type: 'MemberExpression' }>): boolean {
    const object = bare(callee.object) as AnyNode;
    if (object.type === 'Identifier') {
      const name = outsideName(object.name, this.analysis.resolve(object));
      if (name !== undefined) return HOST_GLOBALS.has(name) || this.library.get(name)?.pure === true;
    }
    return !callee.computed && KNOWN_METHODS.has((callee.property as { name: string }).name);
  }

  /** Whether a function of the program does nothing but draw and calculate. */
  private isHarmless(fn: Node): boolean {
    const known = this.harmless.get(fn);
    if (known !== undefined) return known;
    // Functions that call each other qualify, if nothing else in them is against it.
    this.harmless.set(fn, true);
    const result = this.leavesNoTrace(fn, new Set(), fn);
    this.harmless.set(fn, result);
    return result;
  }
}

/** Nodes that the analysis does not follow. */
const UNKNOWN = new Set([
  'AwaitExpression',
  'YieldExpression',
  'TryStatement',
  'LabeledStatement',
  'TaggedTemplateExpression',
  'ClassDeclaration',
  'ClassExpression',
  'ImportExpression',
  'ThisExpression',
]);

/** Methods of arrays, texts, numbers and distributions. */
const KNOWN_METHODS = new Set(
  'map filter reduce some every find findIndex flatMap slice concat join indexOf includes flat at score entropy toFixed'.split(
    ' ',
  ),
);

/** The expressions that a function may return, sides of conditionals apart; null if it may also end without one. */
function returnedBy(fn: FunctionNode, hasValue: boolean): AnyNode[] | null {
  const found: AnyNode[] = [];
  const value = (given: Node): void => {
    const node = bare(given) as AnyNode;
    if (node.type !== 'ConditionalExpression') {
      found.push(node);
      return;
    }
    value(node.consequent);
    value(node.alternate);
  };
  if (fn.body.type !== 'BlockStatement') {
    value(fn.body);
    return found;
  }
  const waiting: Node[] = [...fn.body.body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const node = at as AnyNode;
    if (isFunction(node)) continue;
    if (node.type === 'ReturnStatement') {
      if (!node.argument) return null;
      value(node.argument);
    } else waiting.push(...children(node));
  }
  const last = fn.body.body.at(-1) as AnyNode | undefined;
  if (hasValue && last?.type === 'ExpressionStatement') value(last.expression);
  else if (mayFallThrough(last)) return null;
  return found;
}

/** Whether a function may end with this statement and without a value. */
function mayFallThrough(last: AnyNode | null | undefined): boolean {
  if (last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement') return false;
  if (last?.type === 'BlockStatement') return mayFallThrough(last.body.at(-1) as AnyNode);
  if (last?.type !== 'IfStatement') return true;
  return mayFallThrough(last.consequent as AnyNode) || mayFallThrough(last.alternate as AnyNode | null);
}

const nameOf = (given: AnyNode): string | undefined => (bare(given) as { name?: string }).name;

/** The function that a name stands for, if it is always the same. */
function functionOf(binding: Binding | undefined): Node | undefined {
  if (binding === undefined || binding.writes.length !== 1) return undefined;
  const { value } = binding.writes[0];
  const node = value === undefined ? undefined : bare(value);
  return node !== undefined && isFunction(node) ? node : undefined;
}

const isTrue = (node: Node | null | undefined): boolean =>
  node == null || (node.type === 'Literal' && Boolean((node as { value?: unknown }).value));

const endless = (loop: WhileStatement | ForStatement): boolean =>
  isTrue(loop.test) && (loop.type === 'WhileStatement' || (!loop.init && !loop.update));

/** The test of a loop that is left by it alone. */
function testOf(loop: DoWhileStatement): ReadonlySet<Node> | null {
  const exits = leavings(loop);
  return exits === null || exits.size > 0 || isTrue(loop.test) ? null : new Set([loop.test]);
}

/** The statements by which a loop is left, where that depends on a condition; null if there are others. */
function leavings(loop: Loop): ReadonlySet<Node> | null {
  const exits = new Set<Node>();
  let isCertain = false;
  let goesOn = false;
  /** Whether statements stand in a conditional; in a loop inside; in a `switch`. */
  interface Place {
    readonly node: AnyNode;
    readonly isConditional: boolean;
    readonly isInner: boolean;
    readonly isSwitch: boolean;
  }
  const waiting: Place[] = [{ node: loop.body as AnyNode, isConditional: false, isInner: false, isSwitch: false }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { node, isConditional, isInner, isSwitch } = at;
    if (isFunction(node)) continue;
    const isJump = node.type === 'BreakStatement' || node.type === 'ContinueStatement';
    if (isJump && node.label) return null;
    if (node.type === 'ReturnStatement' || (node.type === 'BreakStatement' && !isInner && !isSwitch)) {
      if (isInner) return null;
      isCertain ||= !isConditional;
      exits.add(node);
    }
    goesOn ||= node.type === 'ContinueStatement' && !isInner;
    for (const child of children(node)) {
      waiting.push({
        node: child as AnyNode,
        isConditional: isConditional || node.type === 'IfStatement' || node.type === 'SwitchStatement',
        isInner: isInner || isLoop(node),
        isSwitch: isSwitch || node.type === 'SwitchStatement',
      });
    }
  }
  return isCertain && !goesOn ? null : exits;
}
