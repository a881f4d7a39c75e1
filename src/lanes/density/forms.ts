/**
 * Forms of JavaScript that the text for columns writes as calls (conditionals, loops, templates): while an execution is
 * recorded, most mean just what they mean in JavaScript.
 */
import type { Fn } from '../../algebra/domain.ts';
import { conditions } from './operators.ts';
import { get } from './picking.ts';
import { looked, mayBeChanged, ownAlone } from './recorded.ts';

export const recordedForms = {
  own: mayBeChanged,
  roaming: mayBeChanged,
  changed: ownAlone,
  nothing: undefined,
  key: (given: unknown): unknown => looked(given),
  itemOr(object: unknown, key: unknown, operator: '??' | '||', otherwise: () => unknown): unknown {
    const value = object instanceof Map ? object.get(looked(key)) : get(object, key);
    return operator === '||' ? conditions.orThen(value, otherwise) : (value ?? otherwise());
  },
  lengthOf: (list: unknown): unknown => (list as readonly unknown[]).length,
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
  text: (make: Fn, ...parts: unknown[]): unknown => make(...parts),
  through(items: unknown, turn: (item: unknown) => unknown): void {
    for (const item of items as Iterable<unknown>) if (conditions.truth(turn(item))) return;
  },
};
