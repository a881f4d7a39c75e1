import { evaluate } from '../../tensor/evaluate.ts';
import { topological } from '../../tensor/graph.ts';
import { type Data, isScalar, type Node } from '../../tensor/node.ts';
import { forget } from '../../tensor/plan/forget.ts';

/** Evaluates a graph node by node at given inputs: slower than a plan, but there is nothing to compile. */
export class Walk {
  /** What is to be computed, in order, if all of it is numbers. */
  private readonly order: readonly Node[] | null;

  constructor(
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {
    forget(outputs, inputs);
    const order = topological(outputs);
    this.order = order.every(isNumber) ? order.filter((node) => node.data === null) : null;
  }

  /** Numbers to compute; infinitely many if not all of them are. */
  get length(): number {
    return this.order?.length ?? Infinity;
  }

  run(given: readonly (number | Data)[]): (number | Data)[] {
    const { inputs, outputs, order } = this;
    if (order === null) forget(outputs, inputs);
    for (let i = 0; i < inputs.length; i++) {
      const value = given[i];
      inputs[i].data = typeof value === 'number' ? value : value.slice();
    }
    if (order === null) evaluate(outputs);
    else for (let i = 0; i < order.length; i++) compute(order[i]);
    const results = new Array<number | Data>(outputs.length);
    for (let i = 0; i < outputs.length; i++) results[i] = outputs[i].data as number | Data;
    return results;
  }
}

/** Known, or computed from numbers by an elementwise operation. */
function isNumber(node: Node): boolean {
  return isScalar(node) && (node.data !== null || node.op.kind === 'elementwise');
}

function compute(node: Node): void {
  const { inputs, op } = node;
  const f = op.compute as NonNullable<typeof op.compute>;
  const a = inputs[0].data as number;
  const b = inputs.length > 1 ? (inputs[1].data as number) : 0;
  const c = inputs.length > 2 ? (inputs[2].data as number) : 0;
  node.data = f(a, b, c);
}
