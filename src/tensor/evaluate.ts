/** Forcing values: scalars at once, everything else on the current device. */
import { currentDevice } from './devices.ts';
import { topological } from './graph.ts';
import { engineMode } from './mode.ts';
import { type Compute, evaluation, isScalar, type Node } from './node.ts';
import { PlanCache } from './plan/cache.ts';
import { evaluateKeeping, evaluateReference, onNumbers } from './reference.ts';
import { atRunStart } from './run-start.ts';
import type { Tensor } from './tensor.ts';
import { wasmDevice } from './wasm/device.ts';

let cache: PlanCache | null | undefined;

atRunStart(() => cache?.clear());

function plans(): PlanCache | null {
  if (cache === undefined) {
    const device = wasmDevice();
    cache = device === null ? null : new PlanCache(device);
  }
  return cache;
}

/** The number of elements up to which computing is faster than finding a plan. */
const FEW = 2000;
/** The same limit for each operation of a graph that grows and is not evaluated again. */
const FEW_EACH = 5000;
/** The number of nodes up to which all values are kept, even if only some were asked for. */
const WORTH_KEEPING = 100_000;

function force(roots: readonly Node[]): void {
  const order = topological(roots);
  let scalars = true;
  let lanes = true;
  let missing = 0;
  let elements = 0;
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    const isMissing = node.data === null;
    if (isScalar(node)) {
      if (!isMissing) continue;
      missing++;
      if (node.op.kind !== 'elementwise') scalars = false;
      continue;
    }
    scalars = false;
    const { length } = node;
    elements += length;
    if (isMissing) missing += length;
    if (length === 0 && node.space?.size === 0) lanes = false;
  }
  if (scalars) {
    evaluateScalars(order);
    return;
  }
  if (missing <= FEW || (engineMode.growing && missing <= FEW_EACH * order.length)) {
    evaluateKeeping(order);
    return;
  }
  // Kernels assume at least one lane.
  if (currentDevice() === 'wasm' && lanes && plans()?.evaluate(roots, order, elements)) return;
  if (missing <= WORTH_KEEPING) evaluateKeeping(order);
  else evaluateReference(roots, order);
}

/** One call per operation, whose value stays at the node: for few elements that is faster than finding a plan. */
function evaluateScalars(order: readonly Node[]): void {
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    if (node.data === null) node.data = onNumbers(node.op.compute as Compute, node.inputs);
  }
}

evaluation.force = force;

/** The values of nodes, computed together. */
export function evaluate(nodes: readonly Node[]): (number | boolean | Tensor)[] {
  const missing = nodes.filter((node) => node.data === null);
  if (missing.length > 0) force(missing);
  return nodes.map((node) => node.value());
}
