/**
 * Where a program in a sandbox leaves what the command is to write. It may write to no other place; the main thread, which runs
 * nothing of the program's, carries the outputs to where the user wants them.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { readRegularFile } from '../host/regular-file.ts';
import { writeOutput } from './files.ts';
import { unfinished } from './unfinished-file.ts';

interface Wanted {
  readonly json?: string;
  readonly params?: string;
  readonly html?: string;
  readonly svg?: string;
}

export class Scratch {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-')));
  /** The thread may look at what is in the first, which includes the second. */
  private readonly outputs = join(this.folder, 'outputs');
  /** In the folder, under the names that the program's thread writes. */
  readonly json: string | undefined;
  readonly params: string | undefined;
  /** What a page of the run would show, as data; there the page and the charts are drawn, by another thread. */
  readonly blocks: string | undefined;
  readonly html: string | undefined;
  readonly svg: string | undefined;

  /** `wanted` are the places that the user has named. */
  constructor(private readonly wanted: Wanted) {
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.outputs);
    const { json, params } = wanted;
    // Stdout is open to any program.
    if (json === '-') this.json = '-';
    else if (json !== undefined) this.json = join(this.outputs, 'result.json');
    const { html, svg } = wanted;
    if ((html ?? svg) !== undefined) this.blocks = join(this.outputs, 'blocks.json');
    if (html !== undefined) this.html = join(this.folder, 'page.html');
    if (svg !== undefined) {
      this.svg = join(this.folder, 'charts');
      mkdirSync(this.svg);
    }
    if (params === undefined) return;
    this.params = join(this.outputs, `parameters${extname(params)}`);
    if (existsSync(params)) copyFileSync(params, this.params);
  }

  /** Brings the outputs to their places; returns what went wrong. */
  deliver(): string[] {
    const { json, params } = this.wanted;
    const pairs: (readonly [string, string])[] = [];
    if (json !== undefined && json !== '-' && this.json !== undefined) pairs.push([this.json, json]);
    if (params !== undefined && this.params !== undefined) {
      pairs.push([this.params, params], [unfinished(this.params), unfinished(params)]);
    }
    const { html, svg } = this.wanted;
    if (html !== undefined && this.html !== undefined) pairs.push([this.html, html]);
    if (svg !== undefined && this.svg !== undefined) {
      for (const name of readdirSync(this.svg)) pairs.push([join(this.svg, name), join(svg, name)]);
    }
    return pairs.map(([from, to]) => carry(from, to)).filter((complaint) => complaint !== undefined);
  }
}

/** What did not change is left alone. */
function carry(from: string, to: string): string | undefined {
  if (!existsSync(from)) return undefined;
  const content = readRegularFile(from);
  if (existsSync(to) && readFileSync(to).equals(content)) return undefined;
  return writeOutput(to, content);
}
