import { describe, expect, test } from 'vitest';
import { line, ProgressLine } from '../../src/cli/progress-bar.ts';

/** A terminal that remembers what was drawn, with a clock of its own. */
function terminal() {
  const drawn: string[] = [];
  const clock = { time: 0 };
  const progress = new ProgressLine({ columns: 80, draw: (text) => drawn.push(text), now: () => clock.time });
  return { drawn, clock, progress };
}

describe('progress', () => {
  test('the line says how far, what, and how long still', () => {
    expect(line('MCMC', 2500, 10000, 'acceptance 0.31', 4000, 80)).toBe(
      `MCMC ${'━'.repeat(8)}${'─'.repeat(22)} 2,500/10,000 · acceptance 0.31 · 0:12 left`,
    );
    expect(line('MCMC', 1, 1000, undefined, 5000, 200)).toBe(`MCMC ${'─'.repeat(30)} 1/1,000 · 1:23:15 left`);
  });

  test('without a total, how long it has taken', () => {
    expect(line('Rejection', 120, undefined, 'accepted 3', 65_000, 80)).toBe('Rejection 120 · accepted 3 · 1:05');
  });

  test('at the start there is no estimate', () => {
    expect(line('SMC', 0, 10, undefined, 2000, 30)).toBe(`SMC ${'─'.repeat(13)} 0/10 · 0:02`);
  });

  test('never wider than the terminal', () => {
    for (let columns = 1; columns < 100; columns++) {
      expect(line('a label', 5, 10, 'a note', 1000, columns).length).toBeLessThan(columns);
    }
  });

  test('short work shows nothing', () => {
    const { drawn, clock, progress } = terminal();
    const work = progress.start('SMC');
    clock.time = 300;
    work.update(5, 10);
    work.finish();
    expect(drawn).toEqual([]);
  });

  test('long work is drawn now and then, and cleared at the end', () => {
    const { drawn, clock, progress } = terminal();
    const work = progress.start('SMC');
    for (clock.time = 0; clock.time < 1000; clock.time++) work.update(clock.time, 1000);
    expect(drawn.length).toBe(6);
    expect(drawn[0]).toBe(`\r${line('SMC', 400, 1000, undefined, 400, 80)}\u001b[K`);
    work.finish();
    expect(drawn.at(-1)).toBe('\r\u001b[K');
  });

  test('only the outermost work is shown', () => {
    const { drawn, clock, progress } = terminal();
    const outer = progress.start('MCMC');
    const inner = progress.start('Enumerate');
    clock.time = 1000;
    inner.update(1, 2);
    inner.finish();
    expect(drawn).toEqual([]);
    outer.update(1, 2);
    expect(drawn[0]).toContain('MCMC');
    outer.finish();
    const next = progress.start('SMC');
    clock.time = 2000;
    next.update(1, 2);
    expect(drawn.at(-1)).toContain('SMC');
  });
});
