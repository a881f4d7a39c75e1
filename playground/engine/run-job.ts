/** Runs a program, and says what it says as it goes. */
import { CompileError } from '../../src/compiler/diagnostics.ts';
import { show } from '../../src/library/show/value.ts';
import { loadProgram } from '../../src/program/load.ts';
import { locate } from '../../src/program/locate.ts';
import type { Progress, Run } from '../../src/runtime/machine.ts';
import type { EngineReply, Job } from '../sandbox/protocol.ts';
import { chartOf } from './chart-of.ts';
import { faultOf } from './fault.ts';
import { Mouth } from './mouth.ts';
import { tellConsole } from './tell-console.ts';
import { wholeText } from './whole-text.ts';

type Say = (reply: EngineReply) => void;

export async function runJob(job: Job, say: Say): Promise<void> {
  const started = performance.now();
  const mouth = new Mouth(say);
  tellConsole(mouth);
  const { code, file, linesBefore } = await wholeText(job);
  try {
    const program = await loadProgram({ code, file, language: job.language });
    try {
      const value = program.run(settings(job, mouth));
      if (value !== undefined) mouth.value(show(value), chartOf(value));
    } catch (thrown) {
      mouth.fault(faultOf(program.locate(thrown), linesBefore));
    }
  } catch (thrown) {
    if (!(thrown instanceof CompileError))
      mouth.fault({ message: String((thrown as Error)?.message ?? thrown), calls: [] });
    else mouth.fault(faultOf(locate(thrown, new Map(), file), linesBefore));
  }
  say({ kind: 'end', milliseconds: performance.now() - started });
}

function settings({ seed }: Job, mouth: Mouth): Run {
  let works = 0;
  return {
    seed,
    folder: '.',
    args: [],
    output: (value, text) => mouth.output(text, chartOf(value)),
    warn: (message) => mouth.warn(message),
    progress: (label) => progressOf(++works, label, mouth),
  };
}

/** Milliseconds between two reports of one piece of work. */
const INTERVAL = 50;

function progressOf(work: number, label: string, mouth: Mouth): Progress {
  let last = { work, label, done: 0 };
  let due = 0;
  /** Points of the curve that wait for the next report. */
  let points: (readonly [number, number])[] = [];
  return {
    update(done, total, note, trace) {
      points.push(...(trace?.points ?? []));
      const now = performance.now();
      if (now < due && done !== total) return;
      due = now + INTERVAL;
      const curve = trace === undefined ? undefined : { name: trace.name, points };
      points = [];
      last = { work, label, done };
      mouth.progress({ ...last, total, note, curve });
    },
    finish: () => mouth.progress({ ...last, finished: true }),
  };
}
