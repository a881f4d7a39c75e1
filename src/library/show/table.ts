import { commonFields, fieldOf } from '../summary.ts';
import { bar } from './bars.ts';
import { clip, grid, WIDTH, widthOf } from './grid.ts';
import { inlineText } from './inline.ts';
import { probabilityText } from './number.ts';

/** A value with its probability. */
interface Row {
  readonly value: unknown;
  readonly probability: number;
}

/** Values beyond this many are summed up in a last line. */
const ROWS = 30;
const SHOWN = 20;
const CELL = 40;

/** Values with their probabilities and bars; fields of objects in columns of their own. */
export function probabilityTable(rows: readonly Row[], destructure = true): string[] {
  const ordered = inOrder(rows);
  const shown = ordered.length > ROWS ? byProbability(rows).slice(0, SHOWN) : ordered;
  const fields = commonFields(shown.map(({ value }) => value));
  const columned = destructure && fields !== undefined && fields.length <= 6;
  const cells = shown.map(({ value, probability }) => [
    ...(columned ? fields.map((field) => inlineText(fieldOf(value, field))) : [inlineText(value)]).map((text) =>
      clip(text, columned ? Math.floor(CELL / fields.length) + 8 : CELL),
    ),
    probabilityText(probability),
  ]);
  const titles = columned && isNamed(shown[0].value) ? [[...fields, '']] : [];
  const align = cells[0].map((_, column) => (column === cells[0].length - 1 ? 'right' : 'left') as 'left' | 'right');
  const texts = grid([...titles, ...cells], align);
  const width = Math.max(...texts.map(widthOf));
  const largest = Math.max(...shown.map(({ probability }) => probability));
  const room = Math.max(8, Math.min(40, WIDTH - width - 4));
  const lines = texts.map((text, i) => {
    const row = shown[i - titles.length];
    return row === undefined ? `  ${text}` : `  ${text}  ${bar(row.probability / largest, room)}`;
  });
  if (shown.length < rows.length) {
    const left = 1 - shown.reduce((sum, { probability }) => sum + probability, 0);
    lines.push(`  … ${rows.length - shown.length} more values, together ${probabilityText(Math.max(0, left))}`);
  }
  return lines.map((line) => line.trimEnd());
}

const isNamed = (value: unknown): boolean => !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Numbers by size, everything else by probability. */
function inOrder(rows: readonly Row[]): Row[] {
  if (rows.every(({ value }) => typeof value === 'number')) {
    return [...rows].sort((a, b) => (a.value as number) - (b.value as number));
  }
  return byProbability(rows);
}

function byProbability(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.probability - a.probability);
}
