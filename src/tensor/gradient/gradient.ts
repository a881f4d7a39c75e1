/** Reverse-mode differentiation, graph to graph: gradients are nodes and can be differentiated again. */
import { castTo, expandTo } from '../elementwise/record.ts';
import { scalar } from '../leaves.ts';
import { type Node, nextVisit } from '../node.ts';
import { add } from '../ops/arithmetic.ts';
import { sum, sumLanes } from '../ops/reductions.ts';
import { reshape } from '../ops/structure.ts';
import { elementwiseRules, isInAnother, type Share } from './elementwise-rules.ts';
import { structuralRules } from './structural-rules.ts';

/**
 * The gradients of `output` with respect to nodes. Where `output` has several elements or lanes, it is the gradient
 * of their sum (or of their sum weighted by `seed`), so per-lane inputs get per-lane gradients. A node `output` does not
 * depend on has gradient 0.
 */
export function gradient(output: Node, wrt: readonly Node[], seed?: Node): Node[] {
  const order = dependents(output, wrt);
  const adjoints = new Array<Node | null>(order.length).fill(null);
  if (order.length > 0) {
    adjoints[order.length - 1] = expandTo(seed ?? scalar(1), output.shape, output.space);
  }
  // Slots are those of `order`, and survive until another walk: nodes recorded meanwhile are new.
  const visit = order.length > 0 ? order[0].visit : -1;
  for (let i = order.length - 1; i >= 0; i--) {
    const g = adjoints[i];
    const y = order[i];
    if (g === null) continue;
    const inputs = y.inputs;
    for (let at = 0; at < inputs.length; at++) {
      const x = inputs[at];
      if (x.visit !== visit || x.slot < 0) continue;
      const share = shareOf(g, y, at);
      if (share === null) continue;
      const before = adjoints[x.slot];
      adjoints[x.slot] = before === null ? share : add(before, share);
    }
  }
  return wrt.map((x) => {
    const g = x.visit === visit && x.slot >= 0 ? adjoints[x.slot] : null;
    return g ?? expandTo(scalar(0), x.shape, x.space, x.dtype === 'f32' ? 'f32' : 'f64');
  });
}

export const dependsOn = (output: Node, from: Node): boolean => dependents(output, [from]).length > 0;

/** Whether something between a node and `output` may jump, or passes no gradient on, such as a comparison. */
export function isInterrupted(output: Node, from: Node): boolean {
  const order = dependents(output, [from]);
  const visit = order[0]?.visit;
  const passes = (y: Node, at: number): boolean =>
    isInAnother(y, at) || shareOf(expandTo(scalar(1), y.shape, y.space), y, at) !== null;
  return order.some((y) => y.inputs.some((x, at) => x.visit === visit && x.slot >= 0 && !passes(y, at)));
}

/** The elementwise rules by number of operation: looked up for every node of a graph. */
const sharesOf: (readonly Share[] | undefined)[] = [];
for (const [op, shares] of elementwiseRules) sharesOf[op.id] = shares;

function shareOf(g: Node, y: Node, at: number): Node | null {
  const shares = sharesOf[y.op.id];
  if (shares !== undefined) {
    const inputs = y.inputs;
    const share = shares[at](g, y, inputs[0], inputs[1], inputs[2]);
    return share === null ? null : undoBroadcast(share, inputs[at]);
  }
  const rule = structuralRules.get(y.op);
  if (rule === undefined) {
    throw new Error(
      `The operation ${y.op.name} has no gradient. Cut the gradient with stopGradient if it should have none.`,
    );
  }
  const share = rule(g, y, at);
  return share === null ? null : inPrecisionOf(share, y.inputs[at]);
}

function inPrecisionOf(share: Node, x: Node): Node {
  return castTo(share, x.dtype === 'f32' ? 'f32' : 'f64');
}

/** Sums an adjoint over the axes and lanes along which the operand was repeated. */
function undoBroadcast(share: Node, x: Node): Node {
  const full = share.shape;
  if (full === x.shape && share.space === x.space) return inPrecisionOf(share, x);
  const lead = full.length - x.shape.length;
  const overLanes = share.space !== null && x.space === null;
  if (!overLanes && full.length === x.shape.length && full.every((n, i) => n === x.shape[i])) {
    return inPrecisionOf(share, x);
  }
  const axes: number[] = [];
  for (let i = 0; i < full.length; i++) if (i < lead || (x.shape[i - lead] === 1 && full[i] !== 1)) axes.push(i);
  const total = overLanes ? sumLanes(share, axes) : sum(share, axes);
  return inPrecisionOf(reshape(total, x.shape), x);
}

/**
 * The nodes on paths from `wrt` to `output`, inputs before users, `output` last. Their `slot` is their position; nodes
 * visited but not on such a path have slot −1. Iterative, because scalar graphs are deep.
 */
function dependents(output: Node, wrt: readonly Node[]): Node[] {
  const visit = nextVisit();
  const targets = new Set(wrt);
  const order: Node[] = [];
  const stack: Node[] = [output];
  const position: number[] = [0];
  output.visit = visit;
  output.slot = -1;
  while (stack.length > 0) {
    const top = stack.length - 1;
    const node = stack[top];
    const inputs = node.inputs;
    const at = position[top];
    if (at < inputs.length) {
      position[top] = at + 1;
      const next = inputs[at];
      if (next.visit !== visit) {
        next.visit = visit;
        next.slot = -1;
        stack.push(next);
        position.push(0);
      }
      continue;
    }
    stack.pop();
    position.pop();
    let needed = targets.has(node);
    for (let i = 0; i < inputs.length && !needed; i++) needed = inputs[i].slot >= 0;
    if (needed) {
      node.slot = order.length;
      order.push(node);
    }
  }
  return order;
}
