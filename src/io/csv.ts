/** Comma-separated values (RFC 4180), also with semicolons or tabs. */
import { WaymarkError } from '../runtime/errors.ts';

/** A cell as it stands in the file. */
interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

interface Row {
  readonly line: number;
  readonly cells: Cell[];
}

/** What a cell may come to. Missing ones are undefined, which `observe` takes as unknown. */
type CsvValue = number | boolean | string | undefined;

const MISSING = new Set(['', 'NA', 'N/A', 'NaN', 'nan', 'null', 'NULL']);

/**
 * The rows as objects by the names in the first line; the values themselves where there is one column. Without a
 * line of names (all cells of the first line are numbers), rows are arrays. Columns of nothing but numbers are
 * numbers, of true and false booleans.
 */
export function parseCsv(caller: string, name: string, text: string): unknown[] {
  const rows = rowsOf(caller, name, text, separatorOf(text));
  if (rows.length === 0) throw new WaymarkError(`${caller}: '${name}' is empty.`);
  const [first] = rows;
  const words = first.cells[0].text.trim().split(/ +/);
  if (first.cells.length === 1 && words.length > 1 && words.every(isNumber)) {
    throw new WaymarkError(
      `${caller}: '${name}', line 1: there are blanks between numbers. Put commas, semicolons or tabs there.`,
    );
  }
  const headed = !first.cells.every((cell) => !cell.quoted && isNumber(cell.text));
  const names = headed ? first.cells.map((cell) => cell.text.trim()) : undefined;
  if (names !== undefined) checkNames(caller, name, names);
  const body = headed ? rows.slice(1) : rows;
  for (const { line, cells } of body) {
    if (cells.length !== first.cells.length) {
      throw new WaymarkError(
        `${caller}: '${name}', line ${line}: ${cells.length} values where the first line has ${first.cells.length}. ` +
          'Put quotes around values that contain the separator.',
      );
    }
  }
  const columns = first.cells.map((_, column) => columnOf(body.map(({ cells }) => cells[column])));
  if (columns.length === 1) return columns[0];
  return body.map((_, i) => {
    if (names === undefined) return columns.map((column) => column[i]);
    return Object.fromEntries(names.map((field, column) => [field, columns[column][i]]));
  });
}

function checkNames(caller: string, name: string, names: readonly string[]): void {
  const twice = names.find((field, i) => names.indexOf(field) !== i);
  if (twice !== undefined) {
    throw new WaymarkError(`${caller}: '${name}', line 1: two columns are called '${twice}'. Give each its own name.`);
  }
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/\r|\n|$/)).replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => line.split(separator).length - 1;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function rowsOf(caller: string, name: string, text: string, separator: string): Row[] {
  const rows: Row[] = [];
  let at = 0;
  let line = 1;
  let row: Row = { line, cells: [] };
  const endOfCell = new RegExp(`[${separator === '\t' ? '\\t' : separator}\\r\\n]|$`, 'g');

  const endRow = (): void => {
    const blank = row.cells.length === 1 && row.cells[0].text === '' && !row.cells[0].quoted;
    if (!blank) rows.push(row);
    line++;
    row = { line, cells: [] };
  };

  while (at < text.length) {
    if (text[at] === '"') {
      const from = line;
      let cell = '';
      for (;;) {
        const quote = text.indexOf('"', at + 1);
        if (quote === -1) {
          throw new WaymarkError(`${caller}: '${name}', line ${from}: a quote is opened and never closed.`);
        }
        cell += text.slice(at + 1, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      line += cell.split('\n').length - 1;
      row.cells.push({ text: cell, quoted: true });
      if (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') {
        throw new WaymarkError(
          `${caller}: '${name}', line ${line}: ${JSON.stringify(text[at])} follows a closing quote. ` +
            'Write two quotes for a quote within a value.',
        );
      }
    } else {
      endOfCell.lastIndex = at;
      const end = (endOfCell.exec(text) as RegExpExecArray).index;
      row.cells.push({ text: text.slice(at, end), quoted: false });
      at = end;
    }
    if (text[at] === separator) {
      at++;
      // A separator at the very end, or before the end of the line, leaves an empty cell behind it.
      if (at === text.length || text[at] === '\r' || text[at] === '\n') row.cells.push({ text: '', quoted: false });
      else continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    endRow();
  }
  return rows;
}

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));

const isMissing = ({ text, quoted }: Cell): boolean => !quoted && MISSING.has(text.trim());

/** The values of a column, all of one type. */
function columnOf(cells: readonly Cell[]): CsvValue[] {
  const present = cells.filter((cell) => !isMissing(cell));
  const convert = conversionFor(present);
  return cells.map((cell) => (isMissing(cell) ? undefined : convert(cell)));
}

function conversionFor(cells: readonly Cell[]): (cell: Cell) => CsvValue {
  if (cells.every(({ text, quoted }) => !quoted && isNumber(text))) return ({ text }) => Number(text);
  if (cells.every(({ text, quoted }) => !quoted && /^\s*(true|false)\s*$/i.test(text))) {
    return ({ text }) => text.trim().toLowerCase() === 'true';
  }
  return ({ text, quoted }) => (quoted ? text : text.trim());
}
