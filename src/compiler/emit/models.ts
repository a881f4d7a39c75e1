/** Models: functions of the program that are given to inferences, of which the runtime is to know what they depend on. */
import type { AnyNode, Expression, Node } from 'acorn';
import type { Analysis } from '../analyse/analysis.ts';
import { once } from '../once.ts';
import { bare, isFunction, nodesOf } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { isProgramFunction, libraryName } from './program-names.ts';

const isInference = (e: Emission, callee: Node): boolean =>
  e.library.get(libraryName(e, bare(callee) as AnyNode) ?? '')?.infers !== undefined;

/** Models are marked, so that the runtime knows that it is a function of the program that it calls: see `returns.ts`. */
export function emitArgument(e: Emission, value: Expression, callee: Node | null): void {
  const model = callee !== null && isInference(e, callee) ? modelIn(e, value) : undefined;
  const note = e.modelsApart.get(bare(value));
  if (note !== undefined) e.text('$.apart(');
  if (model !== undefined) e.text('$.direct(');
  e.expression(value);
  if (model !== undefined) {
    e.text(closureText(e, model));
    if (e.mode === e.columns && isFunction(model)) emitRebound(e, model);
    e.text(')');
  }
  if (note !== undefined) e.text(`${note()})`);
}

/** A second copy of the model, as a function of what it is closed over. Models inside it have no second copy. */
function emitRebound(e: Emission, model: Node): void {
  const names = e.rebinding ? undefined : e.closedOver(model);
  if (names === undefined || names.length === 0) return;
  e.text(`, (${names.join(', ')}) => `);
  e.rebinding = true;
  // With all its texts, as if it stood in plain text: what it is closed over is given as plain values.
  e.inMode(e.plain, () => e.operand(model));
  e.rebinding = false;
}

/** What the model is closed over, for the runtime. Of names, only those declared at top level, which all functions see. */
function closureText(e: Emission, model: Node): string {
  if (isFunction(model)) return e.closure(model);
  const binding = e.binding(model);
  return binding?.scope.kind === 'unit' ? e.closure(bare(binding.writes[0].value!)) : '';
}

/** The function of the program, literal or name, that an argument is, or has as its option `model`. */
function modelIn(e: Emission, given: Expression): Node | undefined {
  const node = bare(given) as AnyNode;
  if (node.type !== 'ObjectExpression') return isProgramFunction(e, node) ? node : undefined;
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') continue;
    const { name, value } = property.key as { name?: string; value?: unknown };
    if ((name ?? value) === 'model' && isProgramFunction(e, property.value)) return bare(property.value);
  }
  return undefined;
}

/** The functions inside of others that have names by which they are given to inferences. */
const namedModels = once((analysis: Analysis, e: Emission): ReadonlySet<Node> => {
  const models = new Set<Node>();
  for (const node of nodesOf(analysis.program)) {
    if (node.type !== 'CallExpression' || !isInference(e, node.callee)) continue;
    for (const argument of node.arguments) {
      const model = modelIn(e, argument as Expression);
      const binding = model?.type === 'Identifier' ? e.binding(model) : undefined;
      if (binding !== undefined && binding.scope.home.kind !== 'unit') models.add(bare(binding.writes[0].value!));
    }
  }
  return models;
});

type Emit = (e: Emission, node: never) => void;

/** Writes a function, with what it is made from where the runtime is to know. */
function emitMade(e: Emission, node: Node, emit: Emit): void {
  const making = e.isMade(node) ? e.closure(node) : '';
  if (making !== '') e.text('$.made(');
  emit(e, node as never);
  if (making !== '') e.text(`${making})`);
}

/** The same writer, which marks these functions where they are made: what they depend on is seen there. */
export function marksModels(emit: Emit): Emit {
  return (e, node: Node) => {
    const isModel = namedModels(e.analysis, e).has(node) && !e.rebinding;
    if (!isModel) {
      emitMade(e, node, emit);
      return;
    }
    e.text('$.direct(');
    emit(e, node as never);
    e.text(e.closure(node));
    if (e.mode === e.columns) emitRebound(e, node);
    e.text(')');
  };
}
