/**
 * Whether executions of a unit's functions are expected to do much the same, each on numbers of its own: then they are known to go fast side by
 * side, and need no long look. Nothing depends on it but the time that a run takes. It is a list of what is known to be so, and not of what is not.
 */
import type { AnyNode, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import { words } from '../words.ts';
import type { Analysis } from './analysis.ts';
import { countsItsCalls } from './counting.ts';
import { outsideName } from './scope.ts';

/** Of JavaScript: functions that do the same for all, and objects of such. */
const HOSTS = words('Number Boolean Math');

const METHODS = words('map forEach reduce slice concat from fill keys entries apply call');

/** Statements by which executions come to do different things. */
const APART = words(`
  WhileStatement DoWhileStatement SwitchStatement TryStatement NewExpression ForInStatement ContinueStatement BreakStatement ThrowStatement
  ClassDeclaration ClassExpression TaggedTemplateExpression
`);

/** What is called: a function of the unit, or one that does much the same for all, by itself or of an object of such functions. */
function isKnown(callee: AnyNode, analysis: Analysis, library: LibraryNames): boolean {
  if (isFunction(callee)) return true;
  const isEven = (name: string): boolean => HOSTS.has(name) || library.get(name)?.even === true;
  if (callee.type === 'Identifier') {
    const outside = outsideName(callee.name, analysis.resolve(callee));
    return outside === undefined || isEven(outside);
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return false;
  if (METHODS.has(callee.property.name)) return true;
  const object = bare(callee.object) as AnyNode;
  if (object.type !== 'Identifier') return false;
  const outside = outsideName(object.name, analysis.resolve(object));
  return outside !== undefined && isEven(outside);
}

/** Whether a loop may be left by `return`. */
function leavesEarly(loop: Node): boolean {
  const waiting: Node[] = [loop];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'ReturnStatement') return true;
    for (const child of children(node)) if (!isFunction(child)) waiting.push(child);
  }
  return false;
}

/** Whether a function calls itself, by the name it is declared with, and may do so more often in one execution than in another. */
function recurs(analysis: Analysis): boolean {
  return analysis.references.some(({ node, scope }) => {
    const binding = analysis.resolve(node);
    if (binding === undefined || binding.scope.home === scope.home) return false;
    return binding.writes.some(({ value }) => {
      const fn = value && bare(value);
      const calls = fn !== undefined && isFunction(fn) && fn.start <= node.start && node.end <= fn.end;
      return calls && !countsItsCalls(fn, binding, analysis);
    });
  });
}

/** How much the same executions do: all of it, as far as is known; perhaps, where a function calls itself, which may be as often for all of them; or not. */
export type Evenness = 'even' | 'recursive' | 'uneven';

/** Of several units. */
export function leastEven(all: readonly Evenness[]): Evenness {
  if (all.includes('uneven')) return 'uneven';
  return all.includes('recursive') ? 'recursive' : 'even';
}

/** What is known of the functions of a unit. */
export function evennessOf(analysis: Analysis, library: LibraryNames): Evenness {
  const waiting: Node[] = [...analysis.functions.keys()];
  for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
    const node = bare(given) as AnyNode;
    if (APART.has(node.type) || (isLoop(node) && leavesEarly(node))) return 'uneven';
    if (node.type === 'CallExpression' && !isKnown(bare(node.callee) as AnyNode, analysis, library)) return 'uneven';
    for (const child of children(node)) if (!isFunction(child)) waiting.push(child);
  }
  return recurs(analysis) ? 'recursive' : 'even';
}
