import { number, UsageError } from './arguments.ts';
import { readBatchLine } from './batch-line.ts';
import { command } from './command.ts';
import { failure } from './failure.ts';
import type { BatchSettings } from './jobs.ts';
import { linesOf } from './lines.ts';
import { engineOfRank, rankOptions, ranksToJoin } from './rank-launch.ts';
import { commonOptions, engineOf, engineOptions } from './settings.ts';
import { STDOUT, write } from './streams.ts';

const isTime = (n: number): boolean => n > 0 && n < Infinity;
const isMemory = (n: number): boolean => n >= 32 && n < Infinity;

export const batchCommand = command({
  summary: 'run many programs, one per line of stdin',
  usage: '[options] < PROGRAMS > RESULTS',
  details: [
    'Reads lines {"id", "code", "seed"}, where code is the text of a .wppl program, and writes for each, in order, one line',
    '{"id", "ok": true, "value", "outputs"} or {"id", "ok": false, "error": {"message", "file", "line", "column"}}.',
    'A program that fails does not stop the others, whatever it does, nor does it change what they give. What programs print themselves (console.log) goes to stderr.',
  ],
  options: {
    timeout: number(
      'timeout',
      'a number of seconds greater than 0',
      isTime,
      'seconds after which a program is given up',
    ),
    memory: number('memory', 'a number of megabytes from 32 on', isMemory, 'megabytes that a program may take'),
    ...engineOptions,
    ...rankOptions,
    ...commonOptions,
  },

  async run({ settings, operands }) {
    if (operands.length > 0) {
      throw new UsageError(`waymark batch reads programs from stdin, got ${operands[0]}. Use waymark batch < FILE.`);
    }
    const { quiet = false, timeout, memory } = settings;
    // Loaded here: no other command starts processes.
    const { BatchProcess } = await import('./batch-process.ts');
    const ranks = ranksToJoin(settings);
    const batch: BatchSettings = {
      job: { kind: 'batch', engine: engineOfRank(engineOf(settings), ranks), quiet },
      limits: { timeout, memory },
    };
    if (ranks !== undefined) return (await import('./batch-ranks.ts')).batchByRanks(ranks, batch);
    const runner = new BatchProcess(batch);
    let lineNumber = 0;
    for await (const text of linesOf(process.stdin)) {
      lineNumber++;
      if (text?.trim() === '') continue;
      const { id, program } = readBatchLine(text, lineNumber);
      const result =
        'problem' in program
          ? failure(program.problem, { file: 'stdin', line: lineNumber, column: 1 })
          : await runner.run(program);
      // The result is an object as text already; the id goes in front of its fields.
      write(STDOUT, `{"id":${JSON.stringify(id)},${result.slice(1)}\n`);
    }
    await runner.close();
    return 0;
  },
});
