/** Texts, objects and distributions of which choices decide, in recordings of Metropolis–Hastings and enumeration. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const NAMES = `
  var moods = ['calm', 'cross', 'glad'];
  var follow = {calm: [0.6, 0.2, 0.2], cross: [0.3, 0.5, 0.2], glad: [0.3, 0.1, 0.6]};
  var states = [{name: 'rest', next: [0.8, 0.1, 0.1], mean: 0}, {name: 'walk', next: [0.2, 0.6, 0.2], mean: 2}, {name: 'run', next: [0.1, 0.3, 0.6], mean: 5}];`;

/** Bodies of models whose recording holds for all values. */
const RECORDED: Readonly<Record<string, string>> = {
  'words that depend on words, counted by lists and objects of their own': `
    var mood = uniformDraw(moods), path = [], last = {mood: 'none', n: 0};
    map(function(word) {
      mood = categorical({vs: moods, ps: follow[mood]});
      observe(Categorical({vs: ['fine', 'great', 'no'], ps: follow[mood]}), word);
      path.push(mood); last.mood = mood; last.n += mood === 'cross' ? 1 : 0;
    }, ['fine', 'no', 'no', 'great', 'fine']);
    return {path: path, last: last, end: path[path.length - 1] + '!', at: \`\${mood} at \${path[0]}\`};`,
  'objects out of a table, and their fields': `
    var state = states[0];
    [0.1, 1.8, 4.9, 2.1].forEach(function(y) {
      state = categorical({vs: states, ps: state.next});
      observe(Gaussian({mu: state.mean, sigma: 0.8}), y);
    });
    var {name, next: [first]} = state;
    return [name, first, state, state === states[1], Object.keys(state).length];`,
  'components by index, with numbers that depend on choices': `
    var parts = [{mu: gaussian(0, 1), tag: 'a'}, {mu: gaussian(2, 1), tag: 'b'}, {mu: 5, tag: 'c'}];
    var tags = map(function(y) {
      var z = discrete([0.3, 0.3, 0.4]);
      observe(Gaussian({mu: parts[z].mu, sigma: 1}), y);
      return parts[z].tag;
    }, [0.2, 1.9, 5.5]);
    return tags.concat(parts[1].mu > parts[0].mu ? 'up' : 'down');`,
  'distributions, functions and texts out of lists': `
    var m = gaussian(0, 1);
    var rule = uniformDraw([function(x) { return x; }, function(x) { return 2 * x; }, function(x) { return -x; }]);
    var kind = m > 0 ? 'high' : 'low';
    var noise = [Gaussian({mu: 0, sigma: 1}), Laplace({location: m, scale: 1}), StudentT({df: 3, location: 0, scale: 2})][discrete([0.2, 0.5, 0.3])];
    observe(noise, rule(m));
    observe(Gaussian({mu: rule(1), sigma: {high: 1, low: 2}[kind]}), 0.5);
    return kind + '/' + (rule(1) > 0 ? 'up' : 'down') + (kind === 'high' ? kind.length : '');`,
  'words whose probabilities depend on numbers': `
    var p = uniform(0.1, 0.9);
    var words = repeat(3, function() { return categorical({vs: ['a', 'b', 'c'], ps: [p / 2, p / 2, 1 - p]}); });
    observe(Categorical({vs: ['a', 'b', 'c'], ps: [p, (1 - p) / 2, (1 - p) / 2]}), 'b');
    return words;`,
  'how many there are of a kind': `
    var path = repeat(5, function() { return uniformDraw(moods); });
    var p = beta(2, 2), flips = repeat(6, function() { return flip(p); });
    var heads = flips.filter(function(f) { return f; }).length, cross = path.filter((mood) => mood === 'cross').length;
    observe(Binomial({n: 6, p: p}), 4);
    observe(Gaussian({mu: heads + cross * path.filter((mood, i) => mood !== 'calm' && i > 1).length, sigma: 2}), 6);
    return [heads, cross];`,
  'keys of Maps and objects, and what is missing there': `
    var prices = new Map([['tea', 2], ['cake', 5]]), named = {tea: 'drink', pie: 'food'};
    var one = uniformDraw(['tea', 'cake', 'pie']), other = uniformDraw(['tea', 'pie']);
    var price = prices.has(one) ? prices.get(one) : 9;
    observe(Gaussian({mu: price, sigma: 2}), 4);
    return [one === other, price, named[other], one < other, typeof one, one !== 'tea' && !!other];`,
};

/** Those that hold for some of them, or in which values are looked at. */
const LOOKED_AT: Readonly<Record<string, string>> = {
  'objects that are changed': `
    var arms = [{n: 0, tag: 'a'}, {n: 0, tag: 'b'}];
    var k = flip(0.3) ? 1 : 0, arm = arms[k];
    arm.n++;
    observe(Gaussian({mu: arms[1].n + gaussian(0, 1), sigma: 1}), 1);
    return [arm.tag, arms];`,
  'values of which not all have what is asked for': `
    var shape = uniformDraw([{kind: 'disc', r: 2}, {kind: 'box', sides: [1, 2]}, {kind: 'dot'}]);
    var area = shape.kind === 'disc' ? shape.r * 3 : shape.sides ? shape.sides[0] * shape.sides[1] : 0;
    observe(Gaussian({mu: area, sigma: 1}), 3);
    return [shape.kind, area, (shape.sides || []).length];`,
  'numbers and texts': `
    var x = categorical({vs: [1, 'two', 3], ps: [0.3, 0.3, 0.4]}), s = uniformDraw(['a', 7]);
    observe(Gaussian({mu: x === 'two' ? 2 : x, sigma: 1}), 2);
    var y = categorical({vs: ['none', 1], ps: [x === 1 ? 0.2 : 0.7, 0.3]});
    return [x, s, x + s, y];`,
  'lists of different lengths, and what host functions make of texts': `
    var list = uniformDraw([['x'], ['y', 'z'], []]), word = uniformDraw(['ab', 'cde']);
    var total = 0;
    for (const item of list) { total += item === 'z' ? gaussian(0, 1) : 1; }
    observe(Gaussian({mu: total + word.split('').length, sigma: 1}), 3);
    return [list, word.toUpperCase(), [word, word].join('-'), list.filter(function(item) { return item !== 'x'; }).length];`,
  'what is kept of lists': `
    var path = repeat(4, function() { return uniformDraw(moods); });
    var cross = path.filter(function(mood) { return mood === 'cross'; }), high = [gaussian(0, 1), gaussian(1, 1)].filter((x) => x > 0);
    if (cross.length > 1) { cross.push('more'); high.push(9); }
    observe(Gaussian({mu: sum(high) + (high[0] || 0) + cross.length, sigma: 1}), 3);
    return [cross, high.map((x) => x * 2), high.length, path.filter((mood) => mood).includes('glad')];`,
  'what the library keeps of lists': `
    var path = repeat(4, function() { return uniformDraw(moods); });
    var cross = filter(function(mood) { return mood === 'cross'; }, path), some = filter(function(mood) { return flip(mood === 'glad' ? 0.8 : 0.3); }, path);
    if (cross.length > 1) { cross.push('more'); some.push('end'); }
    observe(Gaussian({mu: cross.length + filter(Boolean, [some.length > 1, gaussian(0, 1) > 0]).length, sigma: 1}), 3);
    return [cross, some, filter(function(c) { return c > 'b'; }, uniformDraw(['abc', 'cad'])).length, filter(function() { return true; }, some)];`,
  'a choice whose values depend on another': `
    var kind = uniformDraw(['pet', 'tree']);
    var one = categorical({vs: kind === 'pet' ? ['cat', 'dog'] : ['oak', 'elm'], ps: [0.4, 0.6]});
    observe(Bernoulli({p: one === 'dog' || one === 'oak' ? 0.9 : 0.2}), true);
    return [kind, one];`,
};

/** What an inference found, or what it failed with, and how it ran. */
async function found(code: string, seed: number, sequential: boolean): Promise<{ value: string; how: string }> {
  const said: string[] = [];
  const engine = { explainBatching: true, sequential };
  try {
    const { value } = await run(code, { seed, engine, warn: (message) => said.push(message) });
    const dist = value as { samples?: unknown; logZ?: number; support(): unknown[]; score(x: unknown): number };
    const scores = dist.samples ?? [dist.logZ, dist.support().map((one) => [one, dist.score(one)])];
    return { value: JSON.stringify(scores), how: said.join('\n') };
  } catch (thrown) {
    return { value: (thrown as Error).message, how: said.join('\n') };
  }
}

/** Samples are too many to be shown. */
const areSame = (a: string, b: string): string => (a === b ? 'the same' : `${a.slice(0, 200)} and ${b.slice(0, 200)}`);

const chain = (body: string, samples: number): string =>
  `${NAMES} Infer({method: 'MCMC', samples: ${samples}, model: function() { ${body} }})`;

test.each(Object.entries(RECORDED))('steps compute what was recorded: %s', async (_name, body) => {
  for (const seed of [1, 2]) {
    const { value, how } = await found(chain(body, 1500), seed, false);
    expect(areSame(value, (await found(chain(body, 1500), seed, true)).value)).toBe('the same');
    expect(how).toContain('steps compute what was recorded of an execution.');
    expect(how).not.toContain('it often goes another way');
  }
});

test.each(Object.entries(LOOKED_AT))('and where values are looked at: %s', async (_name, body) => {
  for (const seed of [1, 2, 3]) {
    const { value } = await found(chain(body, 800), seed, false);
    expect(areSame(value, (await found(chain(body, 800), seed, true)).value)).toBe('the same');
  }
});

const PATHS: Readonly<Record<string, string>> = {
  'words that depend on words': `
    var path = [uniformDraw(moods)];
    map(function(loud) {
      path.push(categorical({vs: moods, ps: follow[path[path.length - 1]]}));
      observe(Bernoulli({p: {calm: 0.1, cross: 0.8, glad: 0.2}[path[path.length - 1]]}), loud);
    }, [true, false, true, true, false, true]);
    return path[3] + path[6];`,
  'objects that are drawn': `
    var all = repeat(7, function() { return uniformDraw(states); });
    observe(Gaussian({mu: sum(map(function(s) { return s.mean; }, all)), sigma: 3}), 12);
    return [all[0].name, all[6] === states[2]];`,
  'items that the library keeps': `
    var path = repeat(7, function() { return uniformDraw(moods); });
    observe(Bernoulli({p: 0.1 + filter(function(mood) { return mood === 'glad'; }, path).length / 10}), true);
    return filter(function(mood) { return mood === 'cross'; }, path).length;`,
};

test.each(Object.entries(PATHS))('paths compute what was recorded: %s', async (_name, body) => {
  const code = `${NAMES} Infer({method: 'enumerate', model: function() { ${body} }})`;
  const { value, how } = await found(code, 1, false);
  expect(areSame(value, (await found(code, 1, true)).value)).toBe('the same');
  expect(how).toContain('paths compute what was recorded of an execution.');
});
