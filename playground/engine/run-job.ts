/** Runs a program, and says what it says as it goes. */
import { show } from '../../src/library/show/value.ts';
import { ProgramError, run } from '../../src/program/run.ts';
import type { Progress } from '../../src/runtime/machine.ts';
import type { EngineReply, Fault, Job } from '../sandbox/protocol.ts';
import { chartOfOutput, chartOfValue } from './charts.ts';
import { faultOf } from './fault.ts';
import { Mouth } from './mouth.ts';
import { tellConsole } from './tell-console.ts';
import { wholeText } from './whole-text.ts';

export async function runJob(job: Job, say: (reply: EngineReply) => void): Promise<void> {
  const started = performance.now();
  const mouth = new Mouth(say);
  tellConsole(mouth);
  const { code, file, linesBefore } = await wholeText(job);
  const board = new Board(mouth);
  try {
    const { value } = await run(code, {
      seed: job.seed,
      file,
      language: job.language,
      files: job.files,
      output: (value, text) => mouth.output(text, chartOfOutput(value)),
      warn: (message) => mouth.warn(message),
      progress: (label) => board.start(label),
    });
    if (value !== undefined) mouth.value(show(value), chartOfValue(value));
  } catch (thrown) {
    mouth.fault(faultIn(thrown, linesBefore));
  }
  say({ kind: 'end', milliseconds: performance.now() - started });
}

function faultIn(thrown: unknown, linesBefore: number): Fault {
  if (thrown instanceof ProgramError) return faultOf(thrown.located, linesBefore);
  return { message: String((thrown as Error | undefined)?.message ?? thrown), calls: [] };
}

/** Milliseconds between two reports of one piece of work. */
const INTERVAL = 50;

const silent: Progress = { update() {}, finish() {} };

/** Progress of the outermost work: that of an inference within another is part of it. */
class Board {
  private works = 0;
  private busy = false;

  constructor(private readonly mouth: Mouth) {}

  start(label: string): Progress {
    if (this.busy) return silent;
    this.busy = true;
    const work = ++this.works;
    let last = { work, label, done: 0 };
    let due = 0;
    /** Points of the curve that wait for the next report. */
    let points: (readonly [number, number])[] = [];
    return {
      update: (done, total, note, trace) => {
        points.push(...(trace?.points ?? []));
        const now = performance.now();
        if (now < due && done !== total) return;
        due = now + INTERVAL;
        const curve = trace === undefined ? undefined : { name: trace.name, points };
        points = [];
        last = { work, label, done };
        this.mouth.progress({ ...last, total, note, curve });
      },
      finish: () => {
        this.busy = false;
        this.mouth.progress({ ...last, finished: true });
      },
    };
  }
}
