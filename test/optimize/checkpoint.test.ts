import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeContainer } from '../../src/io/container.ts';
import { loadProgram } from '../../src/program/load.ts';
import { quietRun } from '../program/quiet-run.ts';
import { mixture, ragged, structured, trees, walks } from './checkpoint-programs.ts';

let folder = '';
const folders: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  folders.push(folder);
});

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});

interface Settings {
  seed?: number;
  resume?: boolean;
  /** Whether to tell how data were run. */
  explain?: boolean;
}

/** Runs the program in the folder of the test; what it displayed, and what it was warned of. */
async function run(code: string, { seed = 3, resume, explain = false }: Settings = {}) {
  const settings = Object.assign(quietRun(seed), { folder, resume, engine: { explainBatching: explain } });
  const program = await loadProgram({ code });
  program.run(settings);
  const { texts, warnings } = settings;
  return { texts, warnings, explanation: warnings.join('\n') };
}

const place = (name = 'c'): string => join(folder, name);

const long = (more: string): string => mixture(`steps: 40, ${more}`);

/** Leaves an optimisation at step 20 of 40, with `every: 10`. */
async function interrupt(code: string, settings: Settings = {}): Promise<void> {
  (globalThis as { die?: () => never }).die = () => {
    throw new Error('killed');
  };
  await expect(run(code, settings)).rejects.toThrow('killed');
  (globalThis as { die?: () => boolean }).die = () => false;
}

const dying = (more: string): string =>
  long(`onStep: function(i) { return i === 25 ? _top.die() : false; }, checkpoint: {file: 'c', every: 10}, ${more}`);

describe('going on', () => {
  for (const [name, more] of [
    ['Adam and baselines', ''],
    ['momentum', 'optMethod: {sgd: {stepSize: 0.001, mu: 0.9}}, estimator: {ELBO: {samples: 3}}'],
    ['a dream', "estimator: 'dream'"],
    ['values of choices side by side', "gradients: 'automatic'"],
    ['a guide of all choices together', "autoGuide: 'fullRank'"],
    ['several objectives', 'estimator: [{IWAE: {samples: 3}}, {RWS: {samples: 3, dream: 0.5}, weight: 0.5}]'],
  ]) {
    test(`from a checkpoint with ${name} gives what one go gives`, async () => {
      const code = dying(more);
      await interrupt(code);
      const resumed = await run(code, { resume: true });
      rmSync(place());
      const whole = await run(code, { resume: true });
      expect(resumed.texts).toEqual(whole.texts);
      expect(JSON.parse(whole.texts[0]).length).toBe(40);
    });
  }

  test.each([
    ['which data branch', trees],
    ['what guides with structure have learned', structured],
  ])('remembers %s', async (_, program) => {
    const code = program(`steps: 40, checkpoint: {file: 'c', every: 10},
      onStep: function(i) { return i === 25 ? _top.die() : false; }`);
    await interrupt(code);
    const resumed = await run(code, { resume: true });
    rmSync(place());
    expect(resumed.texts).toEqual((await run(code, { resume: true })).texts);
  });

  test('remembers how long nothing has got better', async () => {
    const code = `Optimize({
      model: function() { factor(0 * modelParam({name: 'a'})); },
      steps: 40, stopAtPlateau: 28, checkGradients: false, checkpoint: {file: 'c', every: 10},
      onStep: function(i) { return i === 25 ? _top.die() : false; },
      onFinish: function(result) { display(result.history.length); }
    });`;
    await interrupt(code);
    expect((await run(code, { resume: true })).texts).toEqual(['29']);
  });

  test('a finished optimisation does nothing more, and gives the same', async () => {
    const code = long("checkpoint: {file: 'c'}, onStep: function(i) { display('step'); }");
    const first = await run(code);
    expect(first.texts.filter((text) => text === 'step')).toHaveLength(40);
    const bytes = readFileSync(place());
    const again = await run(code, { resume: true });
    expect(again.texts).toEqual(first.texts.filter((text) => text !== 'step'));
    expect(readFileSync(place()).equals(bytes)).toBe(true);
  });

  test('one that onStep stopped stays stopped', async () => {
    const code = long("checkpoint: 'c', onStep: function(i) { return i === 9; }");
    const first = await run(code);
    expect((await run(code, { resume: true })).texts).toEqual(first.texts);
    expect(JSON.parse(first.texts[0])).toHaveLength(10);
  });

  test('more steps can be added', async () => {
    await run(mixture("steps: 25, checkpoint: 'c'"));
    const more = await run(mixture("steps: 40, checkpoint: {file: 'c', resume: 'anyway'}"));
    rmSync(place());
    expect(more.texts).toEqual((await run(mixture("steps: 40, checkpoint: 'c'"))).texts);
  });

  // (With an onStep that could do anything no steps are compiled.)
  test.each([
    ['walks', walks],
    ['sequences of different length', ragged],
  ])('steps that are compiled for all ways go on: %s', async (_, program) => {
    const whole = await run(program("steps: 40, checkpoint: 'c'"), { explain: true });
    expect(whole.explanation).toMatch(/steps: (2|3)\d compiled/);
    rmSync(place());
    await run(program("steps: 13, checkpoint: 'c'"));
    await run(program("steps: 26, checkpoint: {file: 'c', resume: 'anyway'}"));
    const resumed = await run(program("steps: 40, checkpoint: {file: 'c', resume: 'anyway'}"), { explain: true });
    expect(resumed.texts).toEqual(whole.texts);
    expect(resumed.explanation).toMatch(/steps: \d+ compiled/);
  });

  test('without a file starts at the beginning', async () => {
    const code = long("checkpoint: {file: 'c', resume: true}");
    const first = await run(code);
    rmSync(place());
    expect((await run(code)).texts).toEqual(first.texts);
  });

  test('keeps the rows of the progress log', async () => {
    const code = dying("logProgress: true, logProgressFilename: 'log.csv', logProgressThrottle: 0");
    await interrupt(code);
    await run(code, { resume: true });
    const rows = readFileSync(place('log.csv'), 'utf8').trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(0, 2).map(Number))).toEqual(
      Array.from({ length: 40 }, (_, i) => [i, i]),
    );
  });

  test('is only said to be pointless without a checkpoint', async () => {
    const { warnings } = await run(mixture('steps: 2'), { resume: true });
    expect(warnings).toEqual(['--resume: an Optimize without the option checkpoint starts anew.']);
  });
});

describe('a checkpoint is refused', () => {
  const refused = async (code: string, message: RegExp, settings: Settings = { resume: true }): Promise<void> => {
    const before = existsSync(place()) ? readFileSync(place()) : undefined;
    await expect(run(code, settings)).rejects.toThrow(message);
    if (before !== undefined) expect(readFileSync(place()).equals(before)).toBe(true);
  };

  test('by a run that would lose it', async () => {
    await interrupt(dying(''));
    await refused(
      dying(''),
      /'c' holds an optimisation that has come to step 20 of 40\. Go on with it by .*--resume/,
      {},
    );
  });

  test('by another program', async () => {
    await interrupt(dying(''));
    await refused(`${dying('')}\n1`, /'c': it was written by another program, or before this one was changed/);
  });

  test('by a run with another seed', async () => {
    await interrupt(dying(''));
    await refused(dying(''), /written by a run with seed 3, and this one has seed 4\. Use --seed 3/, {
      seed: 4,
      resume: true,
    });
  });

  test('by another optimiser or estimator', async () => {
    const anyway = (more: string): string => long(`${more} checkpoint: {file: 'c', resume: 'anyway'}`);
    await interrupt(dying(''));
    await refused(
      anyway('').replace('stepSize: 0.02', 'stepSize: 0.03'),
      /with optMethod .*"stepSize":0\.02.*, and this is .*"stepSize":0\.03/,
    );
    await refused(anyway('clip: 5,'), /written with clip false, and this is 5/);
    await refused(anyway('estimator: {ELBO: {samples: 2}},'), /written with estimator .*, and this is .*"samples":2/);
  });

  test('by another Optimize of the same program', async () => {
    await interrupt(dying(''));
    const before = `Optimize({model: function() { return flip(); }, steps: 1});\n`;
    await refused(before + long("checkpoint: {file: 'c', resume: 'anyway'}"), /another call of Optimize/);
  });

  test('by a second Optimize of one run', async () => {
    const twice = "var m = function() { flip(); }; Optimize(m, {checkpoint: 'c'}); Optimize(m, {checkpoint: 'c'});";
    await expect(run(twice)).rejects.toThrow(/Two calls of Optimize in this run have the checkpoint 'c'/);
  });

  for (const resume of [true, false]) {
    test(`if it is damaged, ${resume ? '' : 'not '}going on`, async () => {
      await run(mixture("steps: 3, checkpoint: 'c'"));
      const sound = readFileSync(place());
      const code = mixture("steps: 3, checkpoint: 'c'");
      writeFileSync(place(), sound.subarray(0, sound.length - 9));
      await refused(code, /Optimize cannot use 'c': its checksum does not match.* left as it is/, { resume });
      const changed = Buffer.from(sound);
      changed[200] ^= 1;
      writeFileSync(place(), changed);
      await refused(code, /checksum/, { resume });
      writeFileSync(place(), 'y = 3');
      await refused(code, /does not begin as a Waymark file does/, { resume });
      writeFileSync(place(), '');
      await refused(code, /does not begin as a Waymark file does/, { resume });
      writeFileSync(place(), encodeContainer({ kind: 'parameters', meta: {}, arrays: [] }));
      await refused(code, /needs a file of kind 'checkpoint', and 'c' is of kind 'parameters'/, { resume });
      writeFileSync(place(), encodeContainer({ kind: 'checkpoint', meta: {}, arrays: [] }));
      await refused(code, /does not say which optimisation it belongs to\. The file is left as it is/, { resume });
    });
  }

  test('where it cannot be written', async () => {
    await expect(run(mixture("steps: 3, checkpoint: 'no/c'"))).rejects.toThrow(
      /Optimize cannot write 'no\/c': there is no folder/,
    );
    mkdirSync(place('d'));
    await expect(run(mixture("steps: 3, checkpoint: 'd'"))).rejects.toThrow(/cannot read 'd': .* is a folder/);
  });

  test('with options that make no sense', async () => {
    await expect(run(mixture('steps: 3, checkpoint: 7'))).rejects.toThrow(/checkpoint must be the name of a file, or/);
    await expect(run(mixture('steps: 3, checkpoint: {every: 2}'))).rejects.toThrow(/needs the option 'file'/);
    await expect(run(mixture("steps: 3, checkpoint: {file: 'c', every: 0}"))).rejects.toThrow(
      /every must be an integer/,
    );
    await expect(run(mixture("steps: 3, checkpoint: {file: 'c', evry: 9}"))).rejects.toThrow(/Did you mean 'every'/);
    await expect(run(mixture("steps: 3, checkpoint: {file: 'c', resume: 1}"))).rejects.toThrow(
      /true, false, or 'anyway'/,
    );
  });
});
