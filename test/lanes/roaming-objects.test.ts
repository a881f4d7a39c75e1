/** Objects that go by several names and are changed under any, for executions side by side and in recordings. */
import { describe, expect, test } from 'vitest';
import { both } from './both-ways.ts';
import { roamingProgram } from './roaming-program.ts';

/** Bodies of models that run side by side. */
const TOGETHER: Readonly<Record<string, string>> = {
  'counters of what is chosen': `
    const arms = [{wins: 0, pulls: 0}, {wins: 0, pulls: 0}, {wins: 0, pulls: 0}];
    for (let t = 0; t < 6; t++) { const k = randomInteger(3); arms[k].pulls++; if (flip(0.2 + 0.2 * k)) { arms[k].wins += 1; } }
    factor(-arms[0].pulls / 4);
    return arms;`,
  'a function that changes what it is given': `
    const move = (agent: {x: number, steps: number}, by: number) => { agent.x += by; if (agent.x > 1) { agent.steps++; } };
    const [a, b] = [{x: 0, steps: 0}, {x: 1, steps: 0}];
    for (let t = 0; t < 4; t++) { move(a, gaussian(0, 1)); move(a.x > b.x ? a : b, 0.5); }
    observe(Gaussian({mu: a.x, sigma: 1}), 1);
    return [a, b];`,
  'either of two, made on either side': `
    const made = flip(0.5) ? {n: gaussian(0, 1), tag: 'left'} : {n: 5, tag: 'right'};
    made.n += 1;
    if (flip(0.3)) { made.tag = 'both'; made.n *= 2; }
    return made;`,
  'an item, and then another in its place': `
    const grid = [[2, 0], [0, 7]];
    const k = flip(0.4) ? 1 : 0;
    const row = grid[k];
    grid[0] = [1, 1];
    return [row[0], row[1], grid[0][0], grid[k][1]];`,
  'the least of a list': `
    const tills = [3, 2, 4].map((n) => ({waiting: n, served: 0}));
    for (let t = 0; t < 4; t++) {
      const least = tills.reduce((best, till) => till.waiting < best.waiting ? till : best);
      least.waiting += poisson(1);
      for (const till of tills) { if (till.waiting > 0 && flip(0.4)) { till.waiting--; till.served++; } }
    }
    return tills;`,
  'objects in objects': `
    const state = {home: {n: 0}, away: {n: 0}, last: 'none'};
    for (let t = 0; t < 5; t++) { if (flip(0.6)) { state.home.n++; state.last = 'home'; } else { state.away.n += 2; } }
    const ahead = state.home.n > state.away.n ? state.home : state.away;
    ahead.n += 100;
    return [state.home.n, state.away.n, state.last];`,
  'a method that knows its object by name': `
    const account = {balance: 20, fees: 0, pay(amount: number) { account.balance -= amount; if (account.balance < 5) { account.fees++; } }};
    for (let day = 0; day < 6; day++) { if (flip(0.6)) { account.pay(gaussian(4, 1)); } else { account.balance += 3; } }
    observe(Gaussian({mu: account.balance, sigma: 4}), 10);
    return [account.balance, account.fees];`,
  'a list that a function shuffles': `
    const shuffle = (deck: number[]) => { for (let i = deck.length - 1; i > 0; i--) { const j = randomInteger(i + 1); [deck[i], deck[j]] = [deck[j], deck[i]]; } };
    const deck = [1, 2, 3, 4, 5];
    shuffle(deck);
    return deck;`,
  'rows of rows': `
    const grid = Array.from({length: 3}, () => [0, 0, 0]);
    const visit = (x: number, y: number) => { grid[y][x] += 1; };
    for (let t = 0; t < 5; t++) { visit(randomInteger(3), randomInteger(3)); }
    return grid;`,
  'lists that a function fills': `
    const deal = (hand: number[]) => { hand.push(randomInteger(10)); };
    const hands: number[][] = [[], []];
    for (const hand of hands) { deal(hand); deal(hand); }
    if (hands[0][0] > 4) { deal(hands[0]); }
    return hands;`,
};

/** Those that may run one by one: results must be the same in any case. */
const ANYHOW: Readonly<Record<string, string>> = {
  'a copy that does not see the change': `
    const a = {n: 0};
    const b = {...a};
    const held = flip(0.5) ? [a] : [b, a];
    a.n += gaussian(0, 1);
    return [b.n, held[0].n, held.length];`,
  'kept by a host function': `
    const a = {n: 0};
    const all = _.sortBy([a, {n: gaussian(0, 1)}], 'n');
    const bump = (o: {n: number}) => { o.n++; };
    bump(a); bump(all[0]);
    return [a.n, all[0].n, all[1].n];`,
  'one that others see': `
    const bump = (o: {n: number}) => { o.n++; return o.n; };
    return [bump(shared), flip(0.5) ? bump(shared) : 0];`,
  'in a Map': `
    const stats = new Map([['a', {n: 0}], ['b', {n: 0}]]);
    for (let i = 0; i < 4; i++) { stats.get(flip(0.5) ? 'a' : 'b')!.n++; }
    return [stats.get('a')!.n, stats.get('b')!.n];`,
  'a list of lists that grows for some': `
    const rows: number[][] = [[1]];
    const add = (all: number[][], row: number[]) => { all.push(row); };
    if (flip(0.5)) { add(rows, [2]); } else { add(rows, [3]); rows[0].push(9); }
    rows[rows.length - 1].push(4);
    return rows;`,
  'a chain of objects': `
    interface Link { value: number; next: Link | null }
    const chain: Link = {value: 0, next: null};
    let end = chain;
    for (let i = 0; i < 3; i++) { if (flip(0.6)) { end.next = {value: i, next: null}; end = end.next; } end.value += 1; }
    let total = 0;
    for (let at: Link | null = chain; at !== null; at = at.next) { total += at.value; }
    return total;`,
  'a method of that name which the program has written': `
    const log: number[] = [];
    const box = {push(x: number) { log.push(x); return x; }};
    const use = (b: {push(x: number): number}) => b.push(randomInteger(3));
    return [use(box), use(box), log.length];`,
  'drawn anew by a function that counts': `
    const count = {n: 0};
    const draw = (c: {n: number}): number => { c.n++; const x = gaussian(0, 1); return x > 0.5 ? x : draw(c); };
    return [draw(count), count.n];`,
  'taken away': `
    const o: {a?: number, b: number} = {a: 1, b: 2};
    const forget = (one: {a?: number}) => { delete one.a; };
    if (flip(0.5)) { forget(o); }
    return Object.keys(o);`,
};

const program = (options: string, body: string): string =>
  `
  import { factor, flip, Gaussian, gaussian, Infer, observe, poisson, randomInteger } from 'waymark';
  import _ from 'lodash';
  const shared = {n: 0};
  export default Infer({ ${options}, model() { ${body} } });`.replace(body.includes('_.') ? '' : /import _.*\n/, '');

const SAMPLING = [
  "method: 'importance', samples: 60",
  "method: 'forward', samples: 60",
  "method: 'SMC', particles: 100",
];

describe.each(SAMPLING)('%s', (options) => {
  test.each(Object.keys(TOGETHER))('%s', async (name) => {
    const { together, alone, how } = await both(program(options, TOGETHER[name]), 1, 'ts');
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
    // Particles do not part.
    if (!options.includes('SMC')) expect(how).toContain('side by side');
  });

  test.each(Object.keys(ANYHOW))('%s', async (name) => {
    const { together, alone } = await both(program(options, ANYHOW[name]), 2, 'ts');
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
  });
});

describe('Metropolis-Hastings', () => {
  test.each(Object.keys({ ...TOGETHER, ...ANYHOW }))('%s', async (name) => {
    const options = "method: 'MCMC', samples: 60";
    const { together, alone } = await both(program(options, { ...TOGETHER, ...ANYHOW }[name]), 3, 'ts');
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
  });
});

const FIRST = Number(process.env.FIRST ?? 0);
const COUNT = Number(process.env.COUNT ?? 25);

describe('random programs', () => {
  test.each([...SAMPLING, "method: 'MCMC', samples: 40"])('%s', { timeout: 60_000 }, async (options) => {
    let beside = 0;
    for (let number = FIRST; number < FIRST + COUNT; number++) {
      const { together, alone, how } = await both(roamingProgram(number, options), number, 'ts');
      expect(together, `program ${number}`).toEqual(alone);
      expect(typeof together, `program ${number}: ${String(together)}`).toBe('object');
      if (/side by side|recorded/.test(how)) beside++;
    }
    // Steps of a chain mostly make other choices there, and are not recorded.
    if (!options.includes('MCMC')) expect(beside).toBeGreaterThan(COUNT / 4);
  });
});
