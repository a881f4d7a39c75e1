/** `--explain-guides`: what guides each choice of an execution, and how its gradient is estimated. */
import { machine } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';
import type { Chain, ChoiceEvent } from './record.ts';

export function explainGuides(root: Chain): void {
  const lines = new Map<string, { place: string; what: string; count: number }>();
  visit(root, (choice) => {
    const place = `${placeOf(choice.address) ?? 'somewhere'} at ${withoutIndices(String(choice.address))}`;
    const what = explained(choice);
    const key = `${place} ${what}`;
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { place, what, count: 1 });
    else line.count++;
  });
  const rows = [...lines.values()].map(
    ({ place, what, count }) => `  ${place}: ${what}${count > 1 ? `, ${count} times` : ''}`,
  );
  machine.run.warn(
    rows.length === 0
      ? 'The model makes no choices, so it has no guides.'
      : `Guides of the first execution:\n${rows.join('\n')}`,
  );
}

function visit(chain: Chain, see: (choice: ChoiceEvent) => void): void {
  for (const event of chain.events) {
    if (event.kind === 'choice') see(event);
    else if (event.kind === 'pass') for (const item of event.items) visit(item, see);
  }
}

function explained({ target, guide, rule, automatic, why }: ChoiceEvent): string {
  const how = why === undefined ? rule.name : `${rule.name}, ${why}`;
  return `${target.name} is guided by ${automatic ? 'an automatic ' : ''}${guide.name} (${how})`;
}

/** Iterations of the same place are told together. */
const withoutIndices = (address: string): string => address.replace(/\[\d+\]/g, '[*]');
