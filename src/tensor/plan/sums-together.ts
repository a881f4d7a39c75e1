/**
 * Long sums whose terms are computed at different times, such as the gradient of a parameter that is used in many places.
 * They are added up when all terms are there, many in one kernel, and not by one kernel for each term. The order of the terms
 * is the same.
 */
import { ADD } from '../elementwise/table.ts';
import { RESHAPE } from '../node.ts';
import type { Program, Value } from './program.ts';

/** The program with the additions of a long sum one after the other. */
export function withSumsTogether(program: Program): Program {
  const uses = usesIn(program);
  const partOf = new Map<Value, Value>();
  for (const value of program.values) {
    if (!isSum(value)) continue;
    for (const input of value.inputs) if (isSum(input) && uses.get(input) === 1) partOf.set(input, value);
  }
  if (partOf.size === 0) return program;
  const values: Value[] = [];
  const place = (value: Value): void => {
    for (const input of value.inputs) if (partOf.get(input) === value) place(input);
    values.push(value);
  };
  for (const value of program.values) if (!partOf.has(value)) place(value);
  return { ...program, values };
}

/** How often values are used, by others than views that nothing uses. */
function usesIn({ values, outputs }: Program): ReadonlyMap<Value, number> {
  const uses = new Map<Value, number>();
  const use = (value: Value): void => void uses.set(value, (uses.get(value) ?? 0) + 1);
  outputs.forEach(use);
  for (let i = values.length - 1; i >= 0; i--) {
    const value = values[i];
    if (uses.has(value) || value.op !== RESHAPE) value.inputs.forEach(use);
  }
  return uses;
}

/** Whether it is a sum of tensors without lanes. */
const isSum = ({ op, space, isScalar, source }: Value): boolean =>
  op === ADD && space < 0 && !isScalar && source === null;
