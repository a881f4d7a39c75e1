import { describe, expect, test } from 'vitest';
import { Claims, claimsMemory } from '../../src/ranks/claims.ts';
import { Helper, type PartMessage } from '../../src/ranks/helper.ts';
import { Leader, type StartHelper } from '../../src/ranks/leader.ts';
import { packed, unpacked } from '../../src/ranks/parcels.ts';
import { isWorthHelp } from '../../src/ranks/worth-help.ts';
import type { Helpers, Parts, PartWork } from '../../src/runtime/helpers.ts';
import { during, machine } from '../../src/runtime/machine.ts';

/** A program of which the compiler knows that it can be run elsewhere, or that it cannot. */
function within<R>(work: () => R, looksOutside = false, advice: string[] = []): R {
  const run = { ...machine.run, warn: (message: string) => void advice.push(message) };
  return during({ run, program: { ...machine.program, looksOutside } }, work);
}

/** Squares, which are noted where they are made. */
function squares(made: number[]): PartWork<number> {
  return {
    run(parts: Parts) {
      const found = new Map<number, number>();
      for (let part = parts.next(); part >= 0; part = parts.next()) {
        made.push(part);
        found.set(part, part * part);
        parts.look(found.size, 1);
      }
      return found;
    },
    startOf: (part) => packed(`start ${part}`),
  };
}

/** A helper that does its part as it is started: what it sends, after it has taken some parts. */
function helperThat(does: (claims: Claims, work: number) => readonly Partial<PartMessage>[]): {
  start: StartHelper;
  told: unknown[];
} {
  const told: unknown[] = [];
  const start: StartHelper = ({ memory, name, from }) => {
    const claims = new Claims(memory, name);
    const letters = does(claims, from).map((letter) => ({ work: from, advice: [], ...letter }));
    claims.sent();
    const post = { send: (message: unknown) => void told.push(message), receive: () => letters.shift() };
    return { post, end() {} };
  };
  return { start, told };
}

const letter = (part: number, result: unknown, start = `start ${part}`): Partial<PartMessage> => ({
  part,
  start: packed(start),
  result: packed(result),
});

const resultsOf = (leader: Helpers, parts: number, made: number[]): number[] | undefined =>
  leader.begin(parts)?.results(squares(made));

describe('the thread that leads', () => {
  test('takes what a helper has done, does the rest, and tells what came of all', () => {
    const made: number[] = [];
    const advice: string[] = [];
    const { start, told } = helperThat((claims, work) => {
      expect([claims.take(work, 3), claims.take(work, 0)]).toEqual([true, false]);
      return [{ ...letter(3, 'from elsewhere'), advice: ['look out'] }];
    });
    const leader = new Leader(1, start, true);
    const helped = within(() => leader.begin(4));
    const found = within(() => helped?.results(squares(made)), false, advice);
    expect(found).toEqual([0, 1, 4, 'from elsewhere']);
    expect(helped?.elsewhere).toBe(1);
    expect(made).toEqual([0, 1, 2]);
    expect(advice).toEqual(['look out']);
    expect(told).toEqual([]);
    within(() => leader.begin(2));
    // When there is more to do.
    expect(unpacked((told[0] as { results: Uint8Array }).results)).toEqual([0, 1, 4, undefined]);
  });

  test('does a part itself that started elsewhere from other values, and trusts that helper no more', () => {
    const made: number[] = [];
    const { start, told } = helperThat((claims, work) => {
      claims.take(work, 3);
      claims.take(work, 2);
      return [letter(3, 'wrong', 'another start'), letter(2, 'wrong, too')];
    });
    expect(within(() => resultsOf(new Leader(1, start, true), 4, made))).toEqual([0, 1, 4, 9]);
    expect(made).toEqual([0, 1, 2, 3]);
    expect(told).toEqual([]);
  });

  test('does the parts of a helper that has left', () => {
    const made: number[] = [];
    const { start } = helperThat((claims, work) => {
      claims.take(work, 2);
      claims.leave();
      return [];
    });
    expect(within(() => resultsOf(new Leader(1, start, true), 3, made))).toEqual([0, 1, 4]);
    expect(made).toEqual([0, 1, 2]);
  });

  test('has no help where the program looks at the clock, or where nothing is known of it', () => {
    const leader = new Leader(1, () => expect.unreachable(), true);
    expect(within(() => resultsOf(leader, 3, []), true)).toBeUndefined();
    expect(leader.begin(3)).toBeUndefined();
  });
});

describe('a helper', () => {
  /** Runs one beside a first thread that is at the first work, and has told what came of it. */
  function help(work: PartWork<number>, taken: readonly number[], use?: (helper: Helper) => void) {
    const memory = claimsMemory();
    const first = new Claims(memory, 0);
    first.open(1, 4);
    for (const part of taken) first.take(1, part);
    const sent: PartMessage[] = [];
    const post = {
      send(message: unknown) {
        sent.push(message as PartMessage);
        first.close(1);
      },
      receive: () => ({ work: 1, results: packed(['a', 'b', 'c', 'd']) }),
    };
    const helper = new Helper(new Claims(memory, 1), post, 1, () => {
      throw new Error('ended');
    });
    use?.(helper);
    const results = (): unknown => within(() => helper.begin(4)?.results(work));
    return { helper, first, sent, results };
  }

  test('takes the last parts that are free, sends what came of them, and goes on with what the first thread tells', () => {
    const made: number[] = [];
    const { sent, results, first } = help(squares(made), [0]);
    expect(results()).toEqual(['a', 1, 4, 9]);
    expect(made).toEqual([3, 2, 1]);
    expect(sent.map(({ work, part, result }) => [work, part, unpacked(result)])).toEqual([
      [1, 3, 9],
      [1, 2, 4],
      [1, 1, 1],
    ]);
    expect(first.takerOf(3)).toBe(1);
    expect(first.free(1, 4)).toBe(0);
  });

  test('does nothing of work that is soon done', () => {
    const made: number[] = [];
    const { results, first } = help(squares(made), [0]);
    first.close(1);
    expect(results()).toEqual(['a', 'b', 'c', 'd']);
    expect([made, first.free(1, 4)]).toEqual([[], 3]);
  });

  test.each<[string, (work: PartWork<number>, helper: () => Helper) => Partial<PartWork<number>>]>([
    ['starts from a value that has no form as bytes', () => ({ startOf: () => undefined })],
    ['gives such a value', () => ({ run: (parts) => new Map([[parts.next(), (() => 1) as never]]) })],
    [
      'prints',
      (work, helper) => ({
        run(parts) {
          helper().prints();
          return work.run(parts);
        },
      }),
    ],
  ])('leaves work to the first thread that %s', (_, other) => {
    const work = squares([]);
    const all: { helper?: Helper } = {};
    const { results, first, sent } = help({ ...work, ...other(work, () => all.helper as Helper) }, [0], (helper) => {
      all.helper = helper;
    });
    expect(results).toThrow('ended');
    expect(first.hasLeft(1)).toBe(true);
    expect(sent).toEqual([]);
  });

  test('may print what is printed outside such work, which nobody sees, and ends where files are locked', () => {
    const { helper, first } = help(squares([]), []);
    helper.prints();
    expect(first.hasLeft(1)).toBe(false);
    expect(() => helper.writes()).toThrow('ended');
    expect(first.hasLeft(1)).toBe(true);
  });
});

describe('parts of work', () => {
  test('are taken once, and not by those who are at other work', () => {
    const memory = claimsMemory();
    const [first, helper] = [new Claims(memory, 0), new Claims(memory, 2)];
    first.open(7, 2);
    expect(helper.take(6, 0)).toBe(false);
    expect(helper.take(7, 0)).toBe(true);
    expect(first.take(7, 0)).toBe(false);
    expect(first.takerOf(0)).toBe(2);
    first.open(8, 2);
    expect(helper.take(7, 0)).toBe(false);
    expect(first.free(8, 2)).toBe(2);
  });

  test.each([
    [
      'two long chains, from the first look on',
      { took: 500, had: 490, before: 50, parts: 0.1, free: 1, idle: 1 },
      true,
    ],
    ['four, of which the second has begun', { took: 1200, had: 1150, before: 50, parts: 1.2, free: 2, idle: 1 }, true],
    ['work that is done soon', { took: 300, had: 300, before: 50, parts: 0.6, free: 1, idle: 1 }, false],
    ['too little seen', { took: 100, had: 100, before: 50, parts: 0.001, free: 3, idle: 1 }, false],
    ['a long way to come to it', { took: 500, had: 490, before: 9000, parts: 0.1, free: 1, idle: 1 }, false],
    ['no processor to spare', { took: 500, had: 490, before: 50, parts: 0.1, free: 1, idle: -7 }, false],
    ['a busy machine', { took: 500, had: 200, before: 50, parts: 0.1, free: 1, idle: 1 }, false],
  ])('are worth help or not: %s', (_, work, expected) => {
    expect(isWorthHelp(work)).toBe(expected);
  });
});
