/**
 * Forms of JavaScript that the text for columns writes as calls (conditionals, loops, templates). While an execution
 * is recorded, most of them have their meaning in JavaScript.
 */
import type { Fn } from '../../algebra/domain.ts';
import { countOf, settled } from './filtered-lists.ts';
import { conditions } from './operators.ts';
import { get } from './picking.ts';
import { looked, mayBeChanged, ownAlone, recordedDomain, tableOf } from './recorded.ts';

export const recordedForms = {
  own: (made: unknown): unknown => mayBeChanged(settled(made)),
  roaming: (made: unknown): unknown => mayBeChanged(settled(made)),
  changed: ownAlone,
  nothing: undefined,
  key: (given: unknown): unknown => looked(given),
  itemOr(object: unknown, key: unknown, operator: '??' | '||', otherwise: () => unknown): unknown {
    const value = object instanceof Map ? object.get(looked(key)) : get(object, key);
    return operator === '||' ? conditions.orThen(value, otherwise) : (value ?? otherwise());
  },
  lengthOf: (list: unknown): unknown => countOf(list) ?? (list as readonly unknown[]).length,
  spread(marks: string, ...parts: unknown[]): unknown[] {
    const made: unknown[] = [];
    parts.forEach((part, k) => {
      if (marks[k] === '1') made.push(...(part as Iterable<unknown>));
      else made.push(part);
    });
    return made;
  },
  ofItems: (fn: Fn, _plain: Fn, list: unknown): unknown => fn(...(list as unknown[])),
  // (No handler that records follows rounds.)
  rejectsAlone(): void {},
  rejected: undefined,
  accepted: (_rounds: unknown, _address: unknown, round: () => unknown): unknown => round(),
  text: (make: Fn, ...parts: unknown[]): unknown =>
    parts.some((part) => tableOf(part) !== undefined) ? recordedDomain.each(make, parts) : make(...parts),
  through(items: unknown, turn: (item: unknown) => unknown): void {
    for (const item of items as Iterable<unknown>) if (conditions.truth(turn(item))) return;
  },
};
