/**
 * Loops. If a loop makes addressed calls, its iterations are counted, and calls inside extend the address of the
 * iteration. A loop without such calls is left as it is.
 */
import type {
  DoWhileStatement,
  Expression,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Node,
  Pattern,
  VariableDeclaration,
  WhileStatement,
} from 'acorn';
import { has } from './column-text.ts';
import type { Emission } from './emission.ts';
import { emitStatements, patternNeedsBody } from './functions.ts';
import { isLeftByReturns, isReturn } from './loop-returns.ts';
import { emitThrough, emitTurns, isParting, isPartingThrough, type Step } from './parting-loops.ts';
import { Returned } from './returned.ts';
import { emitGoneThrough } from './shared-writes.ts';
import { emitTakenApart, mayTakeStandInsApart } from './taken-apart.ts';
import { emitDeclarators, emitUnused } from './variables.ts';

/** Writes a loop. `write` is given a way to leave a place for the step to the next iteration's address. */
function counted(
  e: Emission,
  node: Node,
  write: (step: Step) => void,
  /** Where a loop that rejects is left; null for other loops. */
  exits: ReadonlySet<Node> | null = null,
  /** Whether it is written as turns, whose rounds can be followed for many. */
  isInTurns = false,
): void {
  const labels = e.takeLabels();
  const open = e.slot();
  e.text(labels);
  const number = e.newLoop();
  const rounds = exits !== null && (e.mode === e.plain || (isInTurns && e.mode === e.columns)) ? `$j${number}` : null;
  if (rounds !== null) for (const exit of exits!) e.roundsAt.set(exit, rounds);
  const outer = e.fn.base;
  const before = e.fn.calls;
  const places: { fill(text: string): void; form: Parameters<Step>[0] }[] = [];
  write((form) => {
    const slot = e.slot();
    places.push({ fill: (text) => slot.fill(text), form });
    e.fn.base = `$l${number}`;
  });
  e.fn.base = outer;
  if (e.fn.calls > before && places.length > 0) {
    const place = `${outer}.at(${e.newSite(node.start)})`;
    const counting = `${place}.index($n${number}++)`;
    const step = `$l${number} = ${rounds === null ? counting : `${rounds} === null ? ${counting} : ${rounds}.round(${place})`}`;
    const asking =
      exits === null || e.mode === e.second
        ? ''
        : rounds === null
          ? '$C.rejectsAlone();'
          : `const ${rounds} = $.rejecting();`;
    open.fill(`{let $n${number} = 0, $l${number};${asking}\n`);
    for (const { fill, form } of places) fill(form(step, `$n${number}, $l${number}`));
    e.text('}');
  }
  e.text('\n');
}

/** Writes a loop with a test: in turns where those that run as one may leave it at different times, else by `write`. */
function tested(
  e: Emission,
  node: ForStatement | WhileStatement | DoWhileStatement,
  write: (step: Step) => void,
): void {
  const waiting = waitingFor(e, node);
  const parts = isParting(e, node) && (waiting !== null || !has(node.body, isReturn));
  const returned = parts ? waiting : null;
  const isEndless = returned?.flag === null;
  // (Numbers are put beside numbers most easily.)
  if (isEndless) e.text(`let ${returned.value} = 0;\n`);
  const exits = e.rejections.exitsOf(node);
  counted(e, node, (step) => (parts ? emitTurns(e, node, step, returned) : write(step)), exits, parts);
  if (isEndless) e.text(`return ${returned.value};\n`);
}

/** Where what a loop returns can wait; null if it cannot. */
function waitingFor(e: Emission, node: Node): Returned | null {
  const known = e.mode === e.columns ? e.returning.get(node) : undefined;
  if (known !== undefined) return known;
  if (node.type === 'ForOfStatement' || !isLeftByReturns(e, node as WhileStatement)) return null;
  return new Returned(`$v${e.newLoop()}`, null);
}

function emitLoopBody(e: Emission, body: Node): void {
  emitStatements(e, body.type === 'BlockStatement' ? (body as { body?: Node[] }).body! : [body], false);
}

/** The test of a loop, with the step to the next iteration before it. */
function emitTest(e: Emission, test: Expression | null | undefined, step: Step): void {
  if (!test) {
    step((text) => `${text}, true`);
    return;
  }
  step((text) => `${text}, `);
  e.mode.condition(e, test);
}

export function emitFor(e: Emission, node: ForStatement): void {
  tested(e, node, (step) => {
    e.marked(node.start, 'for (');
    if (node.init?.type === 'VariableDeclaration') emitDeclarators(e, node.init);
    else if (node.init) emitUnused(e, node.init);
    e.text('; ');
    emitTest(e, node.test, step);
    e.text('; ');
    if (node.update) emitUnused(e, node.update);
    e.text(') {\n');
    emitLoopBody(e, node.body);
    e.text('}');
  });
}

export function emitWhile(e: Emission, node: WhileStatement): void {
  tested(e, node, (step) => {
    e.marked(node.start, 'while (');
    emitTest(e, node.test, step);
    e.text(') {\n');
    emitLoopBody(e, node.body);
    e.text('}');
  });
}

export function emitDoWhile(e: Emission, node: DoWhileStatement): void {
  tested(e, node, (step) => {
    e.marked(node.start, 'do {\n');
    step((text) => `${text};\n`);
    emitLoopBody(e, node.body);
    e.text('} while (');
    const rounds = e.mode === e.plain ? e.roundsAt.get(node.test) : undefined;
    if (rounds !== undefined) e.text('(');
    e.mode.condition(e, node.test);
    if (rounds !== undefined) e.text(`) || (${rounds} !== null && !${rounds}.accepts())`);
    e.text(');');
  });
}

/** `for (x of xs)` and `for (k in o)`. */
export function emitForEach(e: Emission, node: ForOfStatement | ForInStatement): void {
  const declaration = node.left.type === 'VariableDeclaration' ? (node.left as VariableDeclaration) : undefined;
  const pattern = declaration === undefined ? (node.left as Pattern) : declaration.declarations[0].id;
  // A pattern that makes calls is taken apart inside, where the iteration has its address.
  const inside = (patternNeedsBody(pattern) || mayTakeStandInsApart(e, pattern)) && pattern.type !== 'MemberExpression';
  const returned = node.type === 'ForOfStatement' ? waitingFor(e, node) : null;
  const parts =
    node.type === 'ForOfStatement' && (returned !== null || !has(node.body, isReturn)) && isPartingThrough(e, node);
  counted(e, node, (step) => {
    if (parts) {
      emitThrough(e, node, inside, step, returned);
      return;
    }
    e.marked(node.start, 'for (');
    if (inside) e.text('const $item');
    else {
      if (declaration !== undefined) e.text(`${declaration.kind} `);
      e.pattern(pattern);
    }
    e.text(node.type === 'ForOfStatement' ? ' of ' : ' in ');
    const { owner } = e.mode;
    // A number has no fields, whatever stands for it.
    const asks = owner !== undefined && node.type === 'ForInStatement';
    if (asks) e.text(`${owner}.fields(`);
    emitGoneThrough(e, declaration === undefined ? pattern : undefined, () => e.expression(node.right));
    e.text(asks ? ')) {\n' : ') {\n');
    step((text) => `${text};\n`);
    if (inside) {
      e.text(declaration === undefined ? '(' : `${declaration.kind} `);
      e.pattern(pattern);
      e.text(' = ');
      emitTakenApart(e, pattern, () => e.text('$item'));
      // The body may have other variables of these names.
      e.text(declaration === undefined ? ');\n{' : ';\n{');
    }
    emitLoopBody(e, node.body);
    e.text(inside ? '}}' : '}');
  });
}
