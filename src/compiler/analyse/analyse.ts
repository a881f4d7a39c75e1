/** Finds what every name in a unit stands for, and refuses what programs cannot contain. */
import type {
  AnyNode,
  BlockStatement,
  Expression,
  Function as FunctionNode,
  Identifier,
  Node,
  Pattern,
  Program,
} from 'acorn';
import type { CompileError, SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import { bare, boundNames, children, isFunction, isTypeImport, isTypeOnly, type Language } from '../parse/syntax.ts';
import type { Call } from './address-free.ts';
import type { Analysis } from './analysis.ts';
import { type FinallyJump, jumpOutOfFinally } from './finally.ts';
import { UNKNOWN_WRITE, type Visitor, visitHost } from './host-parts.ts';
import { ModuleList } from './module-list.ts';
import { NameTable } from './name-table.ts';
import { refusal } from './refuse.ts';
import { type Binding, type BindingKind, type Reference, Scope, type Write } from './scope.ts';
import { WebPPLNameTable } from './webppl-names.ts';

export function analyse(
  program: Program,
  source: SourceText,
  language: Language,
  library: LibraryNames,
  keepsHost = false,
): Analysis {
  const names = language === 'wppl' ? new WebPPLNameTable(source, library) : new NameTable(source);
  return new Analyser(program, source, language, names, keepsHost).run();
}

class Analyser implements Visitor {
  private readonly unit = new Scope('unit', null);
  private readonly functions = new Map<Node, Scope>();
  private readonly calls = new Map<Node, Call[]>();
  private currentCalls: Call[] = [];
  private readonly usesArguments = new Set<Node>();
  private readonly modules: ModuleList;
  /** The functions around the current node that have `arguments` of their own. */
  private readonly ownArguments: Node[] = [];
  private readonly hostPlaces: number[] = [];

  constructor(
    private readonly program: Program,
    private readonly source: SourceText,
    private readonly language: Language,
    private readonly names: NameTable,
    /** Whether what programs cannot contain stays host code. */
    private readonly keepsHost: boolean,
  ) {
    this.modules = new ModuleList(source);
  }

  run(): Analysis {
    for (const statement of this.program.body) this.visit(statement, this.unit);
    this.names.resolveAll();
    return {
      program: this.program,
      unit: this.unit,
      functions: this.functions,
      resolve: (identifier) => this.names.bindingOf(identifier),
      references: this.names.references,
      calls: this.calls,
      usesArguments: this.usesArguments,
      modules: this.modules.specifiers,
      bindings: this.names.bindings,
      hostPlaces: this.hostPlaces,
    };
  }

  private error(message: string, node: Node, hint: string): CompileError {
    return this.source.error(message, node.start, hint);
  }

  visit(given: Node, scope: Scope): void {
    // First of all, so that large data is passed over quickly.
    if (given.type === 'Literal') return;
    const node = bare(given) as AnyNode;
    if (isTypeOnly(node)) return;
    const refused = refusal(node);
    if (refused !== undefined && this.keepsHost) {
      this.hostPlaces.push(node.start);
      if (visitHost(node, scope, this)) return;
    } else if (refused !== undefined) {
      // Helpers that no model runs through may use all of JavaScript, in files that are not compiled.
      const elsewhere = this.language === 'wppl' ? '' : ' A file ending in .mjs is imported as plain JavaScript.';
      throw this.source.error(refused.message, node.start, `${refused.hint}${elsewhere}`);
    }
    if (isFunction(node)) {
      this.visitFunction(node, scope);
      return;
    }
    this.visitStatement(node, scope);
  }

  private visitStatement(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case 'EmptyStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          // Without an initialiser it is empty from the start, as in JavaScript.
          const end = init?.end ?? 0;
          this.declarePattern(id, node.kind as BindingKind, scope, init ?? undefined, end);
          if (init) this.visit(init, scope);
        }
        break;
      case 'BlockStatement':
        this.visitAll(node.body, new Scope('block', scope));
        break;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.visitAll(children(node), new Scope('other block', scope), node);
        break;
      case 'TryStatement':
        this.checkFinally(node.finalizer);
        this.visitAll(children(node), new Scope('other block', scope));
        break;
      case 'CatchClause': {
        const inner = new Scope('other block', scope);
        if (node.param) this.declarePattern(node.param, 'catch', inner, undefined);
        this.visitAll(node.body.body, inner);
        break;
      }
      case 'IfStatement':
        this.visitIf(node, scope);
        break;
      case 'LabeledStatement':
        this.visit(node.body, scope);
        break;
      case 'ReturnStatement':
        if (scope.home.kind === 'unit') {
          throw this.error(
            'return outside a function.',
            node,
            this.language === 'wppl'
              ? 'The value of a program is that of its last expression: drop the return.'
              : 'The value of a module is its default export: write export default.',
          );
        }
        if (node.argument) this.visit(node.argument, scope);
        break;
      case 'ImportDeclaration':
        for (const { local, source } of this.modules.imports(node))
          this.declare(local, 'import', this.unit).import = source;
        break;
      case 'ExportNamedDeclaration':
        if (isTypeImport(node)) break;
        if (node.declaration) this.visit(node.declaration, scope);
        if (node.source) this.modules.indexOf(node.source);
        else {
          for (const { local } of node.specifiers) {
            if (local.type === 'Identifier') this.names.refer({ node: local, scope, use: 'typeof' });
          }
        }
        break;
      case 'ExportAllDeclaration':
        if (!isTypeImport(node)) this.modules.indexOf(node.source);
        break;
      default:
        this.visitExpression(node, scope);
    }
  }

  /** A jump out of a finally block would discard what was thrown, the runtime's signals too. */
  private checkFinally(finalizer: Node | null | undefined): void {
    const jump: FinallyJump | undefined = finalizer ? jumpOutOfFinally(finalizer) : undefined;
    if (jump === undefined) return;
    if (this.keepsHost) this.hostPlaces.push(jump.node.start);
    else {
      throw this.error(
        `'${jump.word}' in a finally block would discard what was thrown.`,
        jump.node,
        `Move the ${jump.word} after the try statement.`,
      );
    }
  }

  private visitExpression(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case 'TemplateElement':
        break;
      case 'Identifier':
        this.refer(node, scope, 'read');
        break;
      case 'BinaryExpression':
      case 'LogicalExpression':
        this.visitOperators(node, scope);
        break;
      case 'ArrayExpression':
        for (const element of node.elements) if (element !== null) this.visit(element, scope);
        break;
      case 'MemberExpression':
        this.visit(node.object, scope);
        if (node.computed) this.visit(node.property, scope);
        break;
      case 'Property':
        if (node.computed) this.visit(node.key, scope);
        this.visit(node.value, scope);
        break;
      case 'AssignmentExpression':
        this.visitTarget(node.left, scope, { operator: node.operator, value: node.right });
        this.visit(node.right, scope);
        break;
      case 'UpdateExpression':
        this.visitTarget(node.argument, scope, { operator: node.operator, value: undefined });
        break;
      case 'UnaryExpression':
        if (node.operator === 'typeof' && node.argument.type === 'Identifier') {
          this.refer(node.argument, scope, 'typeof');
        } else this.visit(node.argument, scope);
        break;
      case 'CallExpression':
        if (bare(node.callee).type === 'Identifier' && (bare(node.callee) as Identifier).name === 'eval') {
          if (this.keepsHost) this.hostPlaces.push(node.start);
          else throw this.error('eval is not supported.', node, 'To run program text use webpplEval(text).');
        }
        this.currentCalls.push(node);
        this.visitAll([node.callee, ...node.arguments], scope);
        break;
      case 'NewExpression':
      case 'TaggedTemplateExpression':
        this.currentCalls.push(node);
        this.visitAll(children(node), scope);
        break;
      default:
        this.visitAll(children(node), scope);
    }
  }

  visitAll(nodes: readonly Node[], scope: Scope, loop?: Node): void {
    const target =
      loop?.type === 'ForInStatement' || loop?.type === 'ForOfStatement' ? (loop as { left?: Node }).left : undefined;
    for (const node of nodes) {
      if (node === target && node.type !== 'VariableDeclaration') {
        this.visitTarget(node as Pattern, scope, { operator: '=', value: undefined });
      } else this.visit(node, scope);
    }
  }

  /** Long sequences of `else if` are walked in a loop: they may be deeper than the stack. */
  private visitIf(given: Node, scope: Scope): void {
    let node = given as AnyNode | null | undefined;
    while (node?.type === 'IfStatement') {
      this.visit(node.test, scope);
      this.visitBranch(node.consequent, scope);
      node = node.alternate as AnyNode | null | undefined;
    }
    if (node) this.visitBranch(node, scope);
  }

  private visitBranch(node: Node, scope: Scope): void {
    const branch = new Scope('branch', scope);
    this.visitAll(node.type === 'BlockStatement' ? (node as BlockStatement).body : [node], branch);
  }

  /** Likewise long sums. */
  private visitOperators(given: Node, scope: Scope): void {
    const operands: Node[] = [];
    let node = given as AnyNode;
    while (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      operands.push(node.right);
      node = bare(node.left) as AnyNode;
    }
    this.visit(node, scope);
    for (let i = operands.length - 1; i >= 0; i--) this.visit(operands[i], scope);
  }

  private visitFunction(node: FunctionNode & AnyNode, scope: Scope): void {
    let outer = scope;
    if (node.type === 'FunctionDeclaration') {
      if (node.id)
        this.declare(node.id, 'function', scope).writes.push({ operator: '=', value: node as Node as Expression });
    } else if (node.type === 'FunctionExpression' && node.id) {
      outer = new Scope('other block', scope);
      this.declare(node.id, 'own name', outer);
    }
    const inner = new Scope('function', outer);
    this.functions.set(node, inner);
    const outerCalls = this.currentCalls;
    this.currentCalls = [];
    this.calls.set(node, this.currentCalls);
    if (node.type !== 'ArrowFunctionExpression') this.ownArguments.push(node);
    for (const given of node.params) {
      // `constructor(private x)`, which is host code.
      const { parameter = given } = given as { parameter?: Pattern };
      this.declarePattern(parameter, 'parameter', inner, undefined);
    }
    if (node.body.type === 'BlockStatement') this.visitAll(node.body.body, inner);
    else this.visit(node.body, inner);
    if (node.type !== 'ArrowFunctionExpression') this.ownArguments.pop();
    this.currentCalls = outerCalls;
  }

  private declarePattern(
    pattern: Pattern,
    kind: BindingKind,
    scope: Scope,
    value: Expression | undefined,
    initialisedAt?: number,
  ): void {
    const simple = pattern.type === 'Identifier';
    boundNames(pattern, (node) => {
      const binding = this.declare(node, kind, scope);
      if (initialisedAt !== undefined) binding.initialisedAt = Math.min(binding.initialisedAt, initialisedAt);
      if (value !== undefined || kind === 'parameter' || kind === 'catch' || !simple) {
        binding.writes.push({ operator: '=', value: simple ? value : undefined });
      }
    });
    this.visitPatternExpressions(pattern, scope);
  }

  declare(node: Node & { name: string }, kind: BindingKind, scope: Scope): Binding {
    if (node.name === 'this') {
      if (this.keepsHost) this.hostPlaces.push(node.start);
      else throw this.error("'this' is not supported.", node, 'Give the function the object as an ordinary parameter.');
    }
    return this.names.declare(node, kind, scope);
  }

  /** Default values and computed keys inside a pattern. */
  private visitPatternExpressions(pattern: Node, scope: Scope): void {
    const node = bare(pattern) as AnyNode;
    switch (node.type) {
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') continue;
          if (property.computed) this.visit(property.key, scope);
          this.visitPatternExpressions(property.value, scope);
        }
        break;
      case 'ArrayPattern':
        for (const element of node.elements) if (element !== null) this.visitPatternExpressions(element, scope);
        break;
      case 'RestElement':
        this.visitPatternExpressions(node.argument, scope);
        break;
      case 'AssignmentPattern':
        this.visitPatternExpressions(node.left, scope);
        this.visit(node.right, scope);
        break;
    }
  }

  private visitTarget(target: Pattern | Expression, scope: Scope, write: Write): void {
    const node = bare(target) as AnyNode;
    switch (node.type) {
      case 'Identifier':
        this.refer(node, scope, 'write', write);
        break;
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') this.visitTarget(property.argument, scope, UNKNOWN_WRITE);
          else {
            if (property.computed) this.visit(property.key, scope);
            this.visitTarget(property.value, scope, UNKNOWN_WRITE);
          }
        }
        break;
      case 'ArrayPattern':
        for (const element of node.elements) if (element !== null) this.visitTarget(element, scope, UNKNOWN_WRITE);
        break;
      case 'RestElement':
        this.visitTarget(node.argument, scope, UNKNOWN_WRITE);
        break;
      case 'AssignmentPattern':
        this.visitTarget(node.left, scope, UNKNOWN_WRITE);
        this.visit(node.right, scope);
        break;
      default:
        this.visit(node, scope);
    }
  }

  private refer(node: Identifier, scope: Scope, use: Reference['use'], write?: Write): void {
    if (node.name === 'arguments' && this.ownArguments.length > 0 && scope.resolve('arguments') === undefined) {
      if (use === 'write') {
        throw this.error("Cannot assign to 'arguments'.", node, 'Give the parameters names, and assign to those.');
      }
      this.usesArguments.add(this.ownArguments[this.ownArguments.length - 1]);
      return;
    }
    this.names.refer({ node, scope, use, write });
  }
}
