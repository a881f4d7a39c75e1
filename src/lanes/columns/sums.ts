/** Sums of lists of numbers, some of which differ: added up in the order in which an execution alone adds them. */
import type { Fn } from '../../algebra/domain.ts';
import { Column, column, isDiffering, isNumeric, operand } from './column.ts';
import { currentGroup } from './group.ts';
import type { Doubles } from './kernel-memory.ts';
import { elementwise, type Operand } from './kernels.ts';

type Numbers = readonly (number | boolean | Column)[];

/** Whether it is a list that is as long for all, of numbers or truth values. */
const areNumbers = (list: unknown): list is Numbers =>
  Array.isArray(list) && !isDiffering(list) && list.some((one) => one instanceof Column) && list.every(isNumeric);

function folded(kernel: 'add' | 'mul', start: number, list: Numbers): Operand {
  const { size } = currentGroup();
  let total: Operand = start;
  for (const one of list) {
    if (typeof total === 'number' && !(one instanceof Column)) {
      total = kernel === 'add' ? total + Number(one) : total * Number(one);
      continue;
    }
    const next: Doubles = elementwise(kernel, size, total, operand(one));
    if (typeof total !== 'number') total.release();
    total = next;
  }
  return total;
}

const sum = (list: Numbers): Operand => folded('add', 0, list);

const FOLDS: Readonly<Record<string, (list: Numbers) => Operand>> = {
  sum,
  product: (list) => folded('mul', 1, list),
  listMean: (list) => elementwise('div', currentGroup().size, sum(list), list.length),
};

/** The function of the library of this name, which is `otherwise` for lists of anything else. */
export function fold(name: keyof typeof FOLDS, otherwise: Fn): Fn {
  const of = FOLDS[name];
  return (...args) => (args.length === 1 && areNumbers(args[0]) ? column(of(args[0]) as Doubles) : otherwise(...args));
}
