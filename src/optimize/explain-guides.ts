/** `--explain-guides`: what guides each choice of an execution, and how its gradient is estimated. */
import { machine } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';
import type { ChoiceEvent, Strand } from './record.ts';

/** Of the first of several executions: where values of choices are tried, it is in as many parts as its lanes formed groups. */
export function explainGuides(executions: readonly Strand[]): void {
  const lines = new Map<string, { place: string; what: string; count: number }>();
  const note: See = (choice, times, summed) => {
    const place = `${placeOf(choice.address) ?? 'somewhere'} at ${withoutIndices(String(choice.address))}`;
    const what = explained(choice, summed);
    const key = `${place} ${what}`;
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { place, what, count: times });
    else line.count += times;
  };
  for (const root of executions.filter(isOfFirst)) visit(root, root.lanes?.size ?? 1, 1, note);
  const rows = [...lines.values()].map(
    ({ place, what, count }) => `  ${place}: ${what}${count >= 1.5 ? `, ${Math.round(count)} times` : ''}`,
  );
  machine.run.warn(
    rows.length === 0
      ? 'The model makes no choices, so it has no guides.'
      : `Guides of the first execution:\n${rows.join('\n')}`,
  );
}

const isOfFirst = ({ lanes }: Strand, place: number): boolean =>
  lanes === undefined ? place === 0 : lanes.indices[0] === 0;

/** Values are not tried any more, from a step after the first on. */
export function tellDrawn(step: number): void {
  machine.run.warn(
    `From step ${step} on choices are drawn whose values were tried side by side: one of these is impossible, or leads to what is.`,
  );
}

type See = (choice: ChoiceEvent, times: number, summed: boolean) => void;

/** `tried` is how many values each lane is one of: they are no times more that a choice is made. */
function visit(strand: Strand, lanes: number, around: number, see: See, summed = false): void {
  const tried = around * (strand.varied?.variants.length ?? 1);
  for (const event of strand.events) {
    if (event.kind === 'choice') see(event, lanes / tried, summed);
    else if (event.kind === 'pass') {
      for (const item of event.items) visit(item, item.lanes?.size ?? lanes, tried, see, summed);
    } else if (event.summed !== undefined) {
      const { items, states } = event.summed;
      for (const item of items) visit(item, item.lanes?.size ?? lanes, tried * states, see, true);
    }
  }
}

function explained({ target, guide, rule, automatic, why }: ChoiceEvent, summed: boolean): string {
  const how = why === undefined ? rule.name : `${rule.name}, ${why}`;
  const once = summed && rule.weighed ? '; states of foldData that are equal are summed once' : '';
  const { described } = guide as { described?: string };
  const by = described ?? `${automatic ? 'an automatic ' : ''}${guide.name}`;
  return `${target.name} is guided by ${by} (${how}${once})`;
}

/** Iterations of the same place are told together. */
const withoutIndices = (address: string): string => address.replace(/\[\d+\]/g, '[*]');
