import { Node } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { lifting } from './lifting.ts';
import { machine } from './machine.ts';

/** The value of a node, by which the caller is going to decide something. Where it differs between lanes, they go on in groups that agree on it. */
export function force(node: Node): number | boolean | Tensor {
  const value = node.space === null ? node.value() : machine.lanes!.agree(node);
  machine.observer?.(node, value);
  return value;
}

/** The value with nodes in it replaced by what they stand for, however deep, and so what differs between lanes. */
export function settled(given: unknown): unknown {
  if (given instanceof Node) return force(given);
  if (typeof given !== 'object' || given === null) return given;
  const value = lifting.current === null ? given : lifting.current.agreed(given);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const out = value.map(settled);
    return out.every((item, i) => item === value[i]) ? value : out;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const fields = value as Record<string, unknown>;
  let changed = false;
  const out = Object.entries(fields).map(([key, field]): [string, unknown] => {
    const now = settled(field);
    changed ||= now !== field;
    return [key, now];
  });
  return changed ? Object.fromEntries(out) : value;
}
