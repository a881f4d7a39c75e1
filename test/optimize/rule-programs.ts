/**
 * Small programs whose ELBO can be computed exactly, in which choices name the rule of their gradient: RULE stands for it.
 * What programs do is what makes rules hard: branches, recursion, iterations, nested data, minibatches, things remembered or left behind.
 */
import { SMALL_PROGRAMS, type SmallProgram } from './programs.ts';

const coin = (name: string, p = '0.4'): string =>
  `sample(Bernoulli({p: ${p}}), {guide: Bernoulli({p: sigmoid(param({name: '${name}'}))}), RULE})`;

const OWN: Readonly<Record<string, SmallProgram>> = {
  'a branch with other choices': {
    code: `var model = function() {
      if (${coin('a')}) {
        var x = ${coin('b', '0.7')};
        factor(x ? 1 : -1);
      } else {
        var y = ${coin('c', '0.2')};
        var z = ${coin('d', 'y ? 0.9 : 0.3')};
        factor(z ? (y ? 2 : 0.5) : 0);
      }
    }; model`,
    params: { a: 0.3, b: -0.5, c: 0.2, d: 0.7 },
  },
  'recursion, to a depth that is known': {
    code: `var count = function(n) { return n < 3 && ${coin('a', '0.6')} ? 1 + count(n + 1) : 0; };
    var model = function() {
      var n = count(0);
      observe(Gaussian({mu: n, sigma: 1}), 1.7);
    }; model`,
    params: { a: 0.3 },
  },
  'recursion inside data': {
    code: `var count = function(n, w) {
      var goesOn = n < 2 && sample(Bernoulli({p: 0.6}), {guide: Bernoulli({p: sigmoid(w - n)}), RULE});
      return goesOn ? 1 + count(n + 1, w) : 0;
    };
    var model = function() {
      mapData({data: [0.5, 1.7, 2.2]}, function(y) {
        var n = count(0, y * param({name: 'a'}));
        observe(Gaussian({mu: n, sigma: 1}), y);
      });
    }; model`,
    params: { a: 0.6 },
  },
  'iterations of a map, with a sum': {
    code: `var model = function() {
      var xs = map(function(p) { return ${coin('a', 'p')}; }, [0.2, 0.4, 0.6, 0.8]);
      observe(Gaussian({mu: sum(map(function(x) { return x ? 1 : 0; }, xs)), sigma: 0.7}), 2.5);
    }; model`,
    params: { a: 0.2 },
  },
  'iterations of a map inside data': {
    code: `var model = function() {
      mapData({data: [1, 3], batchSize: 1}, function(y) {
        var xs = map(function(p) {
          return sample(Bernoulli({p: p}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) + y * param({name: 'b'}))}), RULE});
        }, [0.2, 0.4, 0.6, 0.8]);
        observe(Gaussian({mu: sum(map(function(x) { return x ? 1 : 0; }, xs)), sigma: 0.7}), y);
      });
    }; model`,
    params: { a: 0.2, b: -0.1 },
  },
  'choices of text': {
    code: `var model = function() {
      var k = sample(Categorical({vs: ['low', 'high'], ps: [0.3, 0.7]}), {
        guide: Categorical({vs: ['low', 'high'], ps: [sigmoid(param({name: 'a'})), 1 - sigmoid(param({name: 'a'}))]}), ANY});
      observe(Gaussian({mu: k === 'low' ? -1 : 1, sigma: 1}), 0.4);
    }; model`,
    params: { a: 0.3 },
  },
  'counts, from a prior of another family': {
    code: `var model = function() {
      var n = sample(Poisson({mu: 1.5}), {guide: Binomial({n: 3, p: sigmoid(param({name: 'a'}))}), ANY});
      var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: simplex(param({name: 'v', dims: [2, 1]}))}), ANY});
      observe(Gaussian({mu: n + k, sigma: 1}), 2);
    }; model`,
    params: { a: 0.3, v: [0.2, -0.4] },
  },
  'what data return is used': {
    code: `var model = function() {
      var xs = mapData({data: [0.2, 0.7]}, function(p) { return ${coin('a', 'p')}; });
      observe(Gaussian({mu: (xs[0] ? 1 : 0) + (xs[1] ? 2 : 0), sigma: 1}), 1.5);
    }; model`,
    params: { a: 0.4 },
  },
  'what data leave behind is used': {
    code: `var model = function() {
      globalStore.total = 0;
      mapData({data: [0.2, 0.7]}, function(p) {
        if (${coin('a', 'p')}) { globalStore.total = globalStore.total + 1; }
      });
      observe(Gaussian({mu: globalStore.total, sigma: 1}), 1.5);
    }; model`,
    params: { a: 0.4 },
  },
  'data ask for what is remembered': {
    code: `var model = function() {
      var shared = mem(function(k) { return ${coin('a', '0.3')}; });
      mapData({data: [0, 1, 0]}, function(k) {
        var own = ${coin('b', '0.6')};
        factor(own && shared(k) ? 1 : 0.2);
      });
    }; model`,
    params: { a: 0.4, b: -0.3 },
  },
  'a continuous choice between discrete ones': {
    code: `var model = function() {
      var a = ${coin('a')};
      var x = sample(Gaussian({mu: a ? 1 : -1, sigma: 1}), {
        guide: Gaussian({mu: param({name: 'm'}) + (a ? 1 : 0), sigma: softplus(param({name: 's'}))})});
      var b = sample(Bernoulli({p: sigmoid(x)}), {guide: Bernoulli({p: sigmoid(x * param({name: 'b'}))}), RULE});
      observe(Gaussian({mu: x + (b ? 1 : 0), sigma: 1}), 0.8);
    }; model`,
    params: { a: 0.2, m: 0.1, s: 0.3, b: 0.6 },
  },
  'a choice by its score among those with a rule': {
    code: `var model = function() {
      var a = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), gradient: 'score'});
      mapData({data: [0.3, 1.2]}, function(y) {
        var b = ${coin('b', 'a ? 0.8 : 0.1')};
        var c = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'c'}) * (b ? 1 : 0.5))}), gradient: 'score'});
        observe(Gaussian({mu: (b ? 1 : 0) + (c ? y : 0), sigma: 1}), y);
      });
      var d = ${coin('d', 'a ? 0.3 : 0.6')};
      factor(d && a ? 0.8 : 0);
    }; model`,
    params: { a: 0.2, b: -0.3, c: 0.5, d: 0.1 },
  },
  'nested data of different length, whose structure depends on choices': {
    code: `var model = function() {
      mapData({data: [[0.5], [1, -1], []]}, function(row) {
        if (${coin('a')}) {
          mapData({data: row}, function(y) {
            var c = ${coin('c', '0.3')};
            observe(Gaussian({mu: c ? 1 : 0, sigma: 1}), y);
          });
        } else factor(-0.7 * row.length);
      });
    }; model`,
    params: { a: 0.3, c: 0.6 },
  },
};

/** Rules are named at choices of these guides. */
const NAMED = /guide: ((?:Bernoulli|Discrete)\([\s\S]*?\}\))(?=\}\))/g;

const SHARED = Object.entries(SMALL_PROGRAMS)
  .map(([name, { code, params }]): [string, SmallProgram] => [
    name,
    {
      params,
      code: code.replace(NAMED, (_, guide: string) => `guide: ${guide}, ${guide.startsWith('B') ? 'RULE' : 'ANY'}`),
    },
  ])
  .filter(([, { code }]) => /RULE|ANY/.test(code));

export const RULE_PROGRAMS: Readonly<Record<string, SmallProgram>> = { ...OWN, ...Object.fromEntries(SHARED) };

/** The program with a rule at the choices that it is for; undefined if there are none. */
export function withRule(code: string, rule: string): string | undefined {
  const named = `gradient: '${rule}'`;
  const other = "gradient: 'score'";
  const coins = rule === 'measure';
  if (!(coins ? /RULE/ : /RULE|ANY|VECTOR/).test(code)) return undefined;
  return code
    .replaceAll('RULE', named)
    .replaceAll('ANY', coins ? other : named)
    .replaceAll('VECTOR', coins ? other : named);
}
