/** What all boxes of a page share: one sandbox, and one worker that waits for the next program. */
import { Painter } from '../sandbox/painter.ts';
import { Checker, Runner } from '../sandbox/runner.ts';
import { Sandbox } from '../sandbox/sandbox.ts';

export interface Services {
  readonly base: string;
  readonly runner: Runner;
  readonly checker: Checker;
  readonly painter: Painter;
}

let made: Services | undefined;

/** `base` is the folder of the script, where the other files are. */
export function services(base: string): Services {
  if (made === undefined) {
    const sandbox = new Sandbox(base);
    made = { base, runner: new Runner(sandbox), checker: new Checker(sandbox), painter: new Painter(sandbox) };
  }
  return made;
}
