/** Functions: parameters, the address they start from, and their body. */
import type {
  AnyNode,
  ArrowFunctionExpression,
  FunctionExpression,
  Function as FunctionNode,
  Node,
  Pattern,
} from 'acorn';
import { needsBody } from '../analyse/certain.ts';
import type { Scope } from '../analyse/scope.ts';
import { bare } from '../parse/syntax.ts';
import { isTouchedByColumns } from './column-text.ts';
import type { Emission } from './emission.ts';
import { FunctionState } from './function-state.ts';
import { isInRound } from './rounds.ts';
import { emitLooping, emitReturnOf } from './tail-loops.ts';
import { emitTakenApart, mayTakeStandInsApart } from './taken-apart.ts';

export function emitFunctionExpression(e: Emission, node: FunctionExpression): void {
  emitNamed(e, node);
}

/** `function f(…) {…}`, as a declaration or an expression. */
export function emitNamed(e: Emission, node: FunctionNode): void {
  e.marked(node.start, 'function ');
  if (node.id) e.marked(node.id.start, e.binding(node.id)?.emitted ?? node.id.name);
  emitMethod(e, node);
}

export function emitArrow(e: Emission, node: ArrowFunctionExpression): void {
  e.out.mark(node.start);
  const state = stateIn(e, true);
  e.inFunction(state, () => {
    const moved = emitParameters(e, node);
    e.text(' => ');
    emitBody(e, node, state, moved);
  });
}

/** Parameters and body, what comes before them having been written. */
export function emitMethod(e: Emission, node: FunctionNode, returns = true): void {
  const state = stateIn(e, returns);
  e.inFunction(state, () => {
    const moved = emitParameters(e, node);
    e.text(' ');
    emitBody(e, node, state, moved);
  });
}

function stateIn(e: Emission, returns: boolean): FunctionState {
  const state = new FunctionState(returns);
  // host text writes no addresses before it calls: outside inference, its calls all begin at the module's.
  if (e.isModule && e.fn.outer === null) state.entrance = '$m.handler === $h ? $b : ';
  return state;
}

/** A parameter whose default values need the function's address, and so are worked out in its body. */
interface MovedParameter {
  readonly placeholder: string;
  readonly pattern: Pattern;
}

function emitParameters(e: Emission, node: FunctionNode): MovedParameter[] {
  const moved: MovedParameter[] = [];
  e.text('(');
  node.params.forEach((parameter, i) => {
    if (i > 0) e.text(', ');
    const pattern = bare(parameter);
    if (pattern.type === 'Identifier') {
      const repeated = node.params
        .slice(i + 1)
        .some((later) => later.type === 'Identifier' && later.name === pattern.name);
      if (repeated) e.text(`$p${i}`);
      else e.pattern(pattern);
      return;
    }
    // A later default may refer to an earlier parameter, so all of them move with the first that must.
    if (moved.length === 0 && !patternNeedsBody(pattern) && !mayTakeStandInsApart(e, pattern)) {
      e.pattern(pattern);
      return;
    }
    const placeholder = `$p${i}`;
    if (pattern.type === 'RestElement') {
      moved.push({ placeholder, pattern: pattern.argument });
      e.text(`...${placeholder}`);
    } else {
      moved.push({ placeholder, pattern });
      // The default keeps the function's length what it would have been.
      e.text(pattern.type === 'AssignmentPattern' ? `${placeholder} = undefined` : placeholder);
    }
  });
  e.text(')');
  return moved;
}

/** True if a pattern evaluates something that may need an address or a temporary. */
export function patternNeedsBody(given: Node): boolean {
  const node = bare(given) as AnyNode;
  switch (node.type) {
    case 'AssignmentPattern':
      return needsBody(node.right) || patternNeedsBody(node.left);
    case 'ObjectPattern':
      return node.properties.some((property) =>
        property.type === 'RestElement'
          ? patternNeedsBody(property.argument)
          : property.computed || patternNeedsBody(property.value),
      );
    case 'ArrayPattern':
      return node.elements.some((element) => element !== null && patternNeedsBody(element));
    case 'RestElement':
      return patternNeedsBody(node.argument);
    default:
      return node.type !== 'Identifier';
  }
}

function emitBody(e: Emission, node: FunctionNode, state: FunctionState, moved: readonly MovedParameter[]): void {
  e.text('{');
  const prologue = e.slot();
  if (e.analysis.usesArguments.has(node)) e.text('const $arguments = [...arguments];');
  const scope = e.analysis.functions.get(node);
  state.home = scope;
  state.node = node;
  state.isInRound = isInRound(e, node);
  if (scope !== undefined) e.text(startingValues(scope));
  const { second, columns } = e;
  const isFirst = e.mode !== second && e.mode !== columns;
  if (columns !== undefined && isFirst && isTouchedByColumns(e, node)) {
    // A function of its own, so that the plain text stays as small as V8 wants what it compiles into others.
    e.text(`if ($m.columns !== null) return (() => {${scope === undefined ? '' : startingValues(scope)}`);
    e.inMode(columns, () => emitText(e, node, moved));
    e.text('})();\n');
    state.again();
  }
  if (second !== undefined && isFirst) {
    e.text('if ($m.lifted) {');
    e.inMode(second, () => emitText(e, node, moved));
    // A body that ends without a return must not go on with the text below.
    e.text(node.body.type === 'BlockStatement' ? '\nreturn;}' : '}');
    state.again();
  }
  emitText(e, node, moved);
  e.text('}');
  prologue.fill(state.prologue());
}

/** What the function does, in the mode in force. */
function emitText(e: Emission, node: FunctionNode, moved: readonly MovedParameter[]): void {
  for (const { placeholder, pattern } of moved) {
    e.text('var ');
    if (pattern.type === 'AssignmentPattern') {
      e.pattern(pattern.left);
      e.text(' = ');
      emitTakenApart(e, pattern.left, () => {
        e.text(`${placeholder} === undefined ? (`);
        e.expression(pattern.right);
        e.text(`) : ${placeholder}`);
      });
    } else {
      e.pattern(pattern);
      e.text(' = ');
      emitTakenApart(e, pattern, () => e.text(placeholder));
    }
    e.text(';');
  }
  const statements = node.body;
  emitLooping(e, node, () => {
    if (statements.type === 'BlockStatement') {
      e.text('\n');
      const { body = emitStatements } = e.mode;
      body(e, statements.body, e.language === 'wppl');
    } else {
      e.text(' ');
      emitReturnOf(e, statements.start, statements);
    }
  });
}

/** `var` that start with the value of the outer variable they shadow. */
function startingValues(scope: Scope): string {
  let text = '';
  for (const { startsAs, emitted } of scope.names.values()) {
    if (startsAs !== undefined)
      text += `var ${emitted} = ${typeof startsAs === 'string' ? startsAs : startsAs.emitted};`;
  }
  return text;
}

/** Statements one after the other; if `tail`, the value of the last is the value of the function. */
export function emitStatements(e: Emission, body: readonly Node[], tail: boolean): void {
  body.forEach((statement, i) => {
    e.statement(statement, tail && i === body.length - 1);
  });
}
