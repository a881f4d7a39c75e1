/**
 * Which object a recalled result is: programs made up at random, whose values at top level are compared by `===` with the objects that went into
 * them and with each other, against the same in which nothing is recalled.
 */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { RandomStream } from '../../src/runtime/random.ts';

/** Makes a program one that keeps state, in which nothing is recalled. */
const STATE = '\nvar unused = function() { globalStore.x = 1; };\n';

/** Three objects of the same contents, and one of others. Functions are long calls, or ask an inner inference. */
const HEAD = `
var make = function(x) { return {x: x, in: {y: [x]}, f: function() { return x; }}; };
var known = [make(1), make(1), make(1), make(2)];
var parts = known.concat(map(function(o) { return o.in; }, known), map(function(o) { return o.in.y; }, known), map(function(o) { return o.f; }, known));
var whole = function(o, n) { return n === 0 ? o : whole(o, n - 1); };
var part = function(o, n) { return n === 0 ? o.in : part(o, n - 1); };
var deep = function(o, n) { return n === 0 ? [o.in.y, o] : deep(o, n - 1); };
var anew = function(o, n) { return n === 0 ? {x: o.x} : anew(o, n - 1); };
var wrap = function(o, n) { return n === 0 ? {of: o, also: {z: 1}} : wrap(o, n - 1); };
var close = function(o, n) { return n === 0 ? function() { return o; } : close(o, n - 1); };
var closed = function(o, n) { return n === 0 ? {g: function() { return o.in; }, of: o.in} : closed(o, n - 1); };
var method = function(o, n) { return n === 0 ? o.f : method(o, n - 1); };
var either = function(o, p, n) { return n === 0 ? (o.x > p.x ? o : p) : either(o, p, n - 1); };
var pair = function(o, p, n) { return n === 0 ? {o: o, p: p.in} : pair(o, p, n - 1); };
var top = function(n) { return n === 0 ? known[3] : top(n - 1); };
var asked = function(o) { return Infer({model() { return flip(0.5) ? o : 0; }}).support()[0]; };
var askedPart = function(o) { return Infer({model() { return {of: flip(0.5) ? o.in : 0, new: {}}; }}).support()[0]; };
var askedNew = function(o) { return Infer({model() { return {x: o.x, v: flip(0.5)}; }}).support()[0]; };
var askedClosure = function(o) { return Infer({model() { flip(0.5); return function() { return o; }; }}).support()[0]; };
var dist = function(o) { return Infer({model() { return flip(0.5) ? o.x : 0; }}); };
`;

const CALLS = [
  ...[
    'whole(O, 1)',
    'part(O, 1)',
    'deep(O, 1)',
    'anew(O, 1)',
    'wrap(O, 1)',
    'close(O, 1)',
    'closed(O, 1)',
    'method(O, 1)',
  ],
  ...[
    'either(O, O, 1)',
    'pair(O, O, 1)',
    'top(1)',
    'asked(O)',
    'askedPart(O)',
    'askedNew(O)',
    'askedClosure(O)',
    'dist(O)',
  ],
];

/** What is compared: everything that can be reached, by calling functions too. */
const TAIL = `
var reached = function(v, deep) {
  if (v === null || deep === 0) { return []; }
  if (typeof v === 'function') { return [v].concat(reached(v(), deep - 1)); }
  if (typeof v !== 'object') { return []; }
  if (typeof v.support === 'function') { return [v]; }
  return [v].concat(_.flatten(map(function(k) { return reached(v[k], deep - 1); }, Object.keys(v))));
};
var placeIn = function(list, o, i) { return i === list.length ? -1 : list[i] === o ? i : placeIn(list, o, i + 1); };
/* Values of one inference may share what was made before they part, so that only those of two are compared. */
var told = function(values, others) {
  var elsewhere = _.flatten(map(function(v) { return reached(v, 4); }, others));
  return map(function(v) {
    var all = reached(v, 4);
    return map(function(o) { return placeIn(parts, o, 0) + ':' + placeIn(all, o, 0) + (placeIn(parts, o, 0) < 0 && placeIn(elsewhere, o, 0) >= 0 ? '!' : ''); }, all).join(' ');
  }, values).join(', ');
};
`;

class Writer {
  private readonly random;

  constructor(seed: number) {
    this.random = RandomStream.fromSeed(seed).begin();
  }

  private one<V>(of: readonly V[]): V {
    return of[this.random.integer(of.length)];
  }

  private object(depth: number): string {
    const place = this.one(['known[0]', 'known[1]', 'known[2]', 'k', 'k', 'make(1)']);
    return depth > 0 && this.random.integer(3) === 0
      ? this.one(['whole(O, 1)', 'asked(O)']).replace('O', place)
      : place;
  }

  private call(): string {
    return this.one(CALLS).replaceAll('O', () => this.object(1));
  }

  private inference(method: string): string {
    const values = Array.from({ length: 1 + this.random.integer(3) }, () => this.call());
    return `Infer({${method}, model() {
  var k = known[randomInteger(3)];
  var first = ${this.call()};
  var unused = ${this.call()};
  return {i: flip(0.5), vs: [${values.join(', ')}${this.one(['', ', first'])}]};
}})`;
  }

  program(method: string): string {
    return `${HEAD}${TAIL}
var a = ${this.inference(method)};
var b = ${this.inference(method)};
[told(a.support(), b.support()), told(b.support(), a.support())].join('; ')`;
  }
}

const outcome = async (code: string): Promise<unknown> => (await run(code, { seed: 1, file: 'model.wppl' })).value;

const METHODS = ["method: 'enumerate'", "method: 'MCMC', samples: 5", "method: 'forward', samples: 3"];

test.each(METHODS)('objects are those that they would be, %s', async (method) => {
  const wrong: string[] = [];
  for (let seed = 0; seed < 12; seed++) {
    const code = new Writer(seed).program(method);
    const [recalled, plain] = [await outcome(code), await outcome(STATE + code)];
    if (recalled !== plain) wrong.push(`${code.slice(code.indexOf('var a ='))}\n${recalled}\n${plain}`);
    expect(plain).toMatch(/\d/);
  }
  expect(wrong.length, wrong.slice(0, 2).join('\n\n')).toBe(0);
});
