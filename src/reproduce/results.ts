/** Results on disk: what has been run before is not run again. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { atomicWrite } from '../host/atomic-write.ts';
import type { JsonValue } from '../io/json-value.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Identity, Task } from './task.ts';

/** What a file of results holds: what the program gave, and what it belongs to. */
interface Result {
  readonly identity: Identity;
  /** What running it took. */
  readonly seconds: number;
  readonly value: JsonValue;
}

/** Whether the task has been done. Results of other settings are an error: they may be the work of hours. */
export function isDone(task: Task): boolean {
  if (!existsSync(task.result)) return false;
  const { identity } = readResult(task.result);
  const wanted = task.identity;
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(identity)])];
  const other = names.find((name) => identity[name] !== wanted[name]);
  if (other === undefined) return true;
  throw new WaymarkError(
    `${task.result} belongs to other settings: ${explain(other, identity[other], wanted[other])}. ` +
      'Give another folder with --out, or remove this one.',
  );
}

function explain(name: string, there: string | number | undefined, wanted: string | number | undefined): string {
  if (name === 'programs') return 'the programs of the experiment have changed';
  if (name === 'data') return 'its data were others';
  return `${name} is ${there ?? 'not given'} there, ${wanted ?? 'not given'} now`;
}

/** Reads what `keepResult` has written. */
export function readResult(file: string): Result {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
    if (typeof result.identity === 'object' && result.identity !== null && 'value' in result) return result;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new WaymarkError(`${file} is damaged, or no result of waymark reproduce. Remove it to have it made again.`);
}

/** The files that an interrupted optimisation, or each stage of one, has left. */
export function checkpointsOf({ checkpoint }: Task): string[] {
  if (checkpoint === undefined || !existsSync(dirname(checkpoint))) return [];
  const name = basename(checkpoint);
  const belongs = (file: string): boolean => file === name || file.startsWith(`${name}-`);
  const files = readdirSync(dirname(checkpoint)).filter(belongs);
  return files.map((file) => join(dirname(checkpoint), file));
}

/** Keeps a result; the checkpoints that led to it, one or one for each stage, are not needed any more. */
export function keepResult(task: Task, value: JsonValue, seconds: number): void {
  const result: Result = { identity: task.identity, seconds, value };
  atomicWrite(task.result, Buffer.from(`${JSON.stringify(result)}\n`));
  for (const file of checkpointsOf(task)) rmSync(file);
}
