/**
 * Models that cannot reach the side effects of their unit: a function that writes `globalStore`, or changes a variable that
 * others see, is to slow those inferences alone that may call it.
 */
import type { AnyNode, CallExpression, Node, ObjectExpression } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { Reach } from './reach.ts';
import { outsideName } from './scope.ts';
import { sideEffectsOf } from './side-effects.ts';

/** The arguments of inferences with models that reach none of the side effects of a unit, if it has any. */
export function modelsApart(analysis: Analysis, library: LibraryNames, isImported: boolean): ReadonlySet<Node> {
  const apart = new Set<Node>();
  const sideEffects = [...sideEffectsOf(analysis, library, isImported)].map(({ offset }) => offset);
  if (sideEffects.length === 0) return apart;
  const reach = new Reach(analysis, library);
  const waiting: Node[] = [...analysis.program.body];
  for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
    if (given.type === 'Literal') continue;
    for (const child of children(given)) waiting.push(child);
    const call = bare(given) as AnyNode;
    if (call.type !== 'CallExpression' || !isInference(call, analysis, library) || watches(call, analysis)) continue;
    for (const argument of call.arguments) {
      const model = modelIn(bare(argument) as AnyNode, analysis);
      if (model === undefined) continue;
      if (reach.avoids(model, sideEffects)) apart.add(bare(argument));
    }
  }
  return apart;
}

function isInference({ callee }: CallExpression, analysis: Analysis, library: LibraryNames): boolean {
  const node = bare(callee) as AnyNode;
  if (node.type !== 'Identifier') return false;
  return library.get(outsideName(node.name, analysis.resolve(node)) ?? '')?.infers !== undefined;
}

/** Whether other code may act while the inference runs: options that are not written out may hold callbacks. */
function watches({ arguments: given }: CallExpression, analysis: Analysis): boolean {
  return given.some((argument) => {
    const node = bare(argument) as AnyNode;
    if (node.type !== 'ObjectExpression') return functionOf(node, analysis) === undefined;
    return node.properties.some((property) => nameIn(property) === 'callbacks');
  });
}

function nameIn(property: ObjectExpression['properties'][number]): unknown {
  if (property.type !== 'Property' || property.computed) return 'callbacks';
  const { name, value } = property.key as { name?: string; value?: unknown };
  return name ?? value;
}

/** The function that an argument is, or has as its option `model`. */
function modelIn(node: AnyNode, analysis: Analysis): Node | undefined {
  if (node.type !== 'ObjectExpression') return functionOf(node, analysis);
  const model = node.properties.find((property) => nameIn(property) === 'model');
  return model?.type === 'Property' ? functionOf(bare(model.value) as AnyNode, analysis) : undefined;
}

function functionOf(node: AnyNode, analysis: Analysis): Node | undefined {
  if (isFunction(node)) return node;
  const binding = node.type === 'Identifier' ? analysis.resolve(node) : undefined;
  if (binding === undefined || binding.startsAs !== undefined || binding.writes.length !== 1) return undefined;
  const { value } = binding.writes[0];
  return value !== undefined && isFunction(bare(value)) ? bare(value) : undefined;
}
