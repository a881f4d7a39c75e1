import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { abandon, abandoned, Entry } from '../../src/runtime/execution.ts';
import type { Handler } from '../../src/runtime/handler.ts';
import { machine } from '../../src/runtime/machine.ts';
import { quietRun } from './quiet-run.ts';

/** A handler that gives up at the first factor. */
const quitter: Handler = {
  name: 'the quitter',
  sample: (distribution) => distribution.draw(machine.stream.begin()),
  factor() {
    throw abandon;
  },
};

async function executed(body: string): Promise<unknown> {
  const program = await loadProgram({ code: `var model = function() { ${body} }; model` });
  const model = program.run(quietRun()) as () => unknown;
  const entry = new Entry();
  return entry.execute(quitter, model, entry.streamOf(0));
}

describe('a program cannot catch what ends its execution', () => {
  test.each([
    'try { factor(0); } catch (e) { return 1; }',
    'try { factor(0); } catch { return 1; }',
    'try { factor(0); } catch ({message}) { return 1; }',
    'try { try { factor(0); } catch (e) { throw 2; } } catch (e) { return 1; }',
    'try { factor(0); } catch (e) { return 1; } finally { globalStore.x = 1; }',
    'try { [1].map(() => factor(0)); } catch (e) { return 1; }',
  ])('%s', async (body) => {
    expect(await executed(body)).toBe(abandoned);
  });

  test('but everything else', async () => {
    expect(await executed('try { throw 1; } catch (e) { return e + 1; }')).toBe(2);
    expect(await executed('try { error("x"); } catch (e) { return e.message; }')).toBe('x');
    expect(await executed('var o = {}; try { throw o; } catch (e) { return e === o; }')).toBe(true);
  });
});

test('a program can be run many times, and an error in one run does not touch the next', async () => {
  const program = await loadProgram({
    code: 'globalStore.n = (globalStore.n || 0) + 1; var xs = []; xs.push(1); if (argv.fail) { error("as asked"); } [globalStore.n, xs]',
  });
  expect(program.run(quietRun())).toEqual([1, [1]]);
  expect(() => program.run({ ...quietRun(), args: ['--fail'] })).toThrow('as asked');
  expect(program.run(quietRun())).toEqual([1, [1]]);
});

test('the same seed gives the same draws', async () => {
  const program = await loadProgram({ code: 'repeat(5, function() { return sample(Gaussian({mu: 0, sigma: 1})); })' });
  const first = program.run(quietRun(7));
  expect(program.run(quietRun(7))).toEqual(first);
  expect(program.run(quietRun(8))).not.toEqual(first);
});

test('text given to evaluate sees the store and the library, and its choices have addresses of their own', async () => {
  const settings = quietRun();
  const program = await loadProgram({ code: 'globalStore.x = 2; 1' });
  program.run(settings);
  expect(settings.evaluate?.('map(function(a) { a + globalStore.x }, [1, 2])')).toEqual([3, 4]);
  expect(() => settings.evaluate?.('1 +')).toThrow('The program ends in the middle of something.');
});
