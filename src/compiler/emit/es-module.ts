/**
 * A module of a user's app (`src/modules/` says how it is loaded). It stays a module: what can be compiled is compiled, and
 * everything else stays in the text as it is, types included.
 *
 * - **Compiled**: statements at top level, the outermost functions in host text, and calls of the library there. **Host
 *   code**: what programs refuse, as classes and `async`. `analyse` notes such places (`hostPlaces`), and whatever holds one
 *   is left as it is.
 * - A bundler compiles one module at a time, so that each has all texts. A module that names gradients, or methods that run
 *   executions side by side, imports what these need, and waits for it (`onGradients`, `onReading`).
 * - Host functions write no addresses: outside inference, a function that they call begins at its module's. Call sites are
 *   numbered from a hash of the module's name.
 * - Modules say which functions they call that are not compiled, and which of their own are (`addFunctions`), so that a model
 *   may call functions of other modules.
 */
import type { AnyNode, Expression, Node, VariableDeclaration } from 'acorn';
import type { Analysis } from '../analyse/analysis.ts';
import type { Binding } from '../analyse/scope.ts';
import type { SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, isTypeImport, isTypeOnly } from '../parse/syntax.ts';
import type { AppNotes } from './app-notes.ts';
import { columnName } from './columns.ts';
import type { Emission, Site } from './emission.ts';
import { FunctionState } from './function-state.ts';
import { emitNamed } from './functions.ts';
import { liftedName } from './lifted.ts';
import { Meanings } from './meanings.ts';
import { isHostPart, libraryName } from './program-names.ts';
import { SourceMap } from './source-map.ts';

export interface EmittedModule {
  readonly code: string;
  readonly map: SourceMap;
  readonly sites: readonly Site[];
}

/** Modules that the text imports. */
export interface Linking {
  /** Where `link` comes from. */
  readonly runtime: string;
  /** Modules that load what gradients need, and what executions side by side need. */
  readonly gradients: string;
  readonly columns: string;
}

/** Names that compiled text adds. They must differ from those of host code, which stay as they are. */
const TAKEN =
  /^\$(?:|[a-zA-Z]\d*|[LC]_.*|Math_.*|x\d*|add|sub|mul|div|mod|pow|neg|inc|dec|numeric|is|isNot|eq|ne|call|link|again|arguments|default)$/;

export function emitModule(
  e: Emission,
  library: LibraryNames,
  notes: AppNotes,
  runtime: string,
  needed: readonly string[],
): EmittedModule {
  const { analysis, source } = e;
  e.isModule = true;
  keepHostNames(e);
  const head = opening(source, analysis);
  e.text(source.text.slice(0, head));
  const slot = e.slot();
  let at = head;
  for (const statement of analysis.program.body) {
    if (statement.end <= head) continue;
    copy(e, at, statement.start);
    at = statement.end;
    if (!emitCompiled(e, statement)) emitHost(e, statement);
  }
  copy(e, at, source.text.length);
  slot.fill(headText(e, library, notes, runtime, needed));
  const { code, marks } = e.out.finish();
  return { code, map: new SourceMap(marks, source.lines, source.file, source.text), sites: e.sites };
}

/** Where the module's own text begins, after a line for the shell and directives. */
function opening(source: SourceText, { program }: Analysis): number {
  let end = /^#![^\n]*\n?/.exec(source.text)?.[0].length ?? 0;
  for (const statement of program.body) {
    if (!('directive' in statement) || statement.directive === undefined) break;
    end = statement.end;
  }
  return end;
}

/** Names that host text may use are not changed. */
function keepHostNames(e: Emission): void {
  for (const binding of e.analysis.bindings) {
    if (!isSeenByHost(e, binding)) continue;
    binding.emitted = binding.name;
    if (!TAKEN.test(binding.name)) continue;
    throw e.source.error(
      `'${binding.name}' is a name that compiled modules use themselves.`,
      binding.declaredAt,
      'Give the variable another name.',
    );
  }
}

function isSeenByHost(e: Emission, { scope: { home } }: Binding): boolean {
  if (home.kind === 'unit') return true;
  for (const [node, scope] of e.analysis.functions) if (scope === home) return isHostPart(e, node);
  return true;
}

/** Writes source text as it is, marked at every word. */
function copy(e: Emission, from: number, to: number): void {
  let at = from;
  for (const { index } of e.source.text.slice(from, to).matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    if (from + index > at) e.text(e.source.text.slice(at, from + index));
    at = from + index;
    e.out.mark(at);
  }
  if (to > at) e.text(e.source.text.slice(at, to));
}

/** Writes a statement at top level, if it can be compiled. */
function emitCompiled(e: Emission, statement: AnyNode | Node): boolean {
  const node = statement as AnyNode;
  if (isTypeOnly(node) || isTypeImport(node) || isHostPart(e, node)) return false;
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return false;
    case 'ExportNamedDeclaration': {
      const { declaration } = node;
      if (!declaration || isTypeOnly(declaration) || !isValueDeclaration(declaration)) return false;
      e.marked(node.start, 'export ');
      e.statement(declaration, false);
      return true;
    }
    case 'ExportDefaultDeclaration': {
      const value = bare(node.declaration as Node) as AnyNode;
      if (isTypeOnly(value)) return false;
      e.marked(node.start, 'export default ');
      if (value.type === 'FunctionDeclaration') emitNamed(e, value);
      else e.operand(value);
      e.text(value.type === 'FunctionDeclaration' ? '\n' : ';\n');
      return true;
    }
    case 'ExpressionStatement':
      if (node.directive !== undefined) return false;
      // The line before may have no semicolon.
      e.text(';');
      break;
  }
  if (node.type.startsWith('TS')) return false;
  e.statement(node, false);
  return true;
}

const isValueDeclaration = (node: Node): node is VariableDeclaration =>
  node.type === 'VariableDeclaration' || node.type === 'FunctionDeclaration';

/** Writes host text, with what can be compiled of it compiled. */
function emitHost(e: Emission, node: Node): void {
  let at = node.start;
  for (const part of compiledParts(e, node as AnyNode, null)) {
    copy(e, at, part.start);
    at = part.end;
    emitPart(e, part);
  }
  copy(e, at, node.end);
}

/** The outermost parts of a node that can be compiled, in the order of the text. */
function compiledParts(e: Emission, node: AnyNode, parent: AnyNode | null): Node[] {
  if (isTypeOnly(node)) return [];
  if (isFunction(node) && isFunctionPart(node, parent) && !isHostPart(e, node)) return [node];
  if (node.type === 'CallExpression' && isLibraryCall(e, node) && !isHostPart(e, node)) return [node];
  return children(node)
    .flatMap((child) => compiledParts(e, child as AnyNode, node))
    .sort((a, b) => a.start - b.start);
}

/** True unless the function is a method, which begins at its brackets, or has a part in what is around it. */
function isFunctionPart(node: AnyNode, parent: AnyNode | null): boolean {
  if (parent?.type === 'MethodDefinition') return false;
  if (parent?.type === 'Property') return !parent.method && parent.kind === 'init';
  return node.type !== 'FunctionDeclaration' || parent?.type !== 'ExportDefaultDeclaration';
}

function isLibraryCall(e: Emission, node: Extract<AnyNode, { type: 'CallExpression' }>): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression') return libraryName(e, callee) !== undefined;
  return libraryName(e, bare(callee.object) as AnyNode) !== undefined;
}

function emitPart(e: Emission, given: Node): void {
  const node = given as AnyNode;
  if (node.type === 'FunctionDeclaration') emitNamed(e, node);
  else if (isFunction(node)) e.expression(node);
  else emitCalled(e, node as Expression);
}

/** A call of the library in a host function, which has no variables for it; it goes on from the module's address. */
function emitCalled(e: Emission, node: Expression): void {
  const state = new FunctionState();
  // A word first: the line before may have no semicolon.
  e.text('$call(() => {');
  const prologue = e.slot();
  e.inFunction(state, () => {
    e.text('return ');
    e.expression(node);
    e.text(';');
  });
  e.text('})');
  // The module's own address serves.
  state.calls = 0;
  prologue.fill(state.prologue());
}

function headText(
  e: Emission,
  library: LibraryNames,
  notes: AppNotes,
  runtime: string,
  needed: readonly string[],
): string {
  const { analysis } = e;
  // Always there, for calls of the library in host functions.
  e.fn.calls++;
  const imports = [...analysis.unit.names.values()].filter(({ import: from }) => from?.module === undefined && from);
  const isWhole = ({ import: from }: Binding): boolean => from?.name === '*';
  const used = imports.filter(
    (binding) => binding.references > 0 && (isWhole(binding) || library.has(binding.import?.name ?? '')),
  );
  const fields = used.map((binding) =>
    isWhole(binding) ? `...${binding.emitted}` : `${binding.import?.name}: ${binding.emitted}`,
  );
  const inLifted = new Meanings('$L', '$.lifted', 'onGradients');
  const inColumns = new Meanings('$C', '$.columns', 'onReading');
  for (const binding of used) {
    const of = (names: string): string =>
      isWhole(binding) ? `$.namespace(${names})` : `${names}.${binding.import?.name}`;
    inLifted.add(liftedName(binding.emitted), of('$L.library'));
    inColumns.add(columnName(binding.emitted), of('$C.library'));
  }
  return [
    `import { link as $link } from ${JSON.stringify(runtime)};`,
    ...needed.map((module) => `import ${JSON.stringify(module)};`),
    `const $ = $link({${fields.join(', ')}}, [${hostNames(e).map(given).join(', ')}], [${ownNames(e).map(given).join(', ')}]);`,
    `const $m = $.machine, $h = $.outside, $call = $.call; ${notes.text(e)}`,
    inLifted.text(),
    inColumns.text(),
    e.prelude.text().replace(/\n/g, ' '),
    `${e.fn.prologue()} const $b = $a;`,
    '',
  ].join(' ');
}

/** What gives the value of a variable, which may not be there yet. */
const given = (name: string): string => `() => ${name}`;

/** Functions and classes that compiled text may call and that know nothing of it: imported ones, and host code at top level. */
function hostNames(e: Emission): string[] {
  const names: string[] = [];
  for (const { emitted, import: from, kind, references, writes } of e.analysis.unit.names.values()) {
    if (references === 0) continue;
    if (from !== undefined) {
      if (from.module !== undefined) names.push(emitted);
      continue;
    }
    const value = writes.length === 1 ? writes[0].value : undefined;
    const isHost = value === undefined ? kind === 'let' : isFunction(bare(value)) && isHostPart(e, bare(value));
    if (isHost) names.push(emitted);
  }
  return names;
}

/** Functions that are compiled, for modules that import them. */
function ownNames(e: Emission): string[] {
  const names: string[] = [];
  for (const { emitted, import: from, writes } of e.analysis.unit.names.values()) {
    if (from !== undefined || writes.length !== 1) continue;
    const { value } = writes[0];
    if (value !== undefined && isFunction(bare(value)) && !isHostPart(e, bare(value))) names.push(emitted);
  }
  return names;
}
