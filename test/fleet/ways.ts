/** How the inferences of a program ran, as lines of a table. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadProgram } from '../../src/program/load.ts';
import type { Conduct } from '../../src/runtime/reasons.ts';
import { quietRun } from '../program/quiet-run.ts';
import { madeUpFiles } from './data.ts';
import type { Ship } from './programs.ts';

/** Runs a program, and gives what its inferences told of themselves. */
async function conductOf({ code, file, args, data, files }: Ship): Promise<Conduct[]> {
  const told: Conduct[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'waymark-fleet-'));
  try {
    const given: Record<string, string | number> = { ...args };
    if (data !== undefined) {
      given.data = join(folder, 'data.json');
      const value = { ...data, folder, sbibm: folder, posteriordb: folder };
      if (files) for (const [name, content] of Object.entries(madeUpFiles)) writeFileSync(join(folder, name), content);
      // Programs of experiments read the value that another program gave, those of posteriors the data themselves.
      writeFileSync(given.data, JSON.stringify({ value, data }));
    }
    const program = await loadProgram({ code, file });
    program.run({
      ...quietRun(1),
      folder: dirname(file),
      args: Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]),
      conduct: (how) => told.push(how),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return told;
}

/** Without folders, and without the name of the program's own file. */
const short = (text: string, file: string): string =>
  text.replace(/[^ ()]*\//g, '').replaceAll(`${basename(file)}:`, '');

function line(how: Conduct, file: string): string {
  const groups = how.groups === undefined ? '' : ` in ${how.groups} groups`;
  const because = how.code === undefined ? '' : `; ${how.code}: ${how.reason}`;
  return short(`${how.place} ${how.method}: ${how.way}${groups}${because}`, file);
}

/** Where a line is: the program's own places come first, then those of each other file. */
function position(text: string): [file: string, line: number, column: number] {
  const [, file = '', line, column] = /^(?:([^ ]*):)?(\d+):(\d+) /.exec(text) ?? [];
  return [file, Number(line), Number(column)];
}

/** Each line once, in the order of the program's text. */
function inOrder(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort((a, b) => {
    const [x, y] = [position(a), position(b)];
    if (x[0] !== y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] - y[1] || x[2] - y[2] || (a < b ? -1 : 1);
  });
}

export async function waysOf(ship: Ship): Promise<string> {
  const lines = inOrder((await conductOf(ship)).map((how) => line(how, ship.file)));
  return [ship.name, ...(lines.length === 0 ? ['no inference'] : lines)].join('\n  ');
}
