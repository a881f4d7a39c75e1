/**
 * Forms of models as people write them, for random programs under gradients: objects that go by several names and are changed by functions
 * and methods, tables of functions with state, order and collections by what was chosen, choices in default parameters, closures, families of
 * families, guides that run first or choose, sequences, data in data, and inferences inside.
 */
import type { Asked } from './random-hosts.ts';

type Form = () => string;

/** Statements that declare a number of this name. */
export function modelStatements(asked: Asked, name: string): readonly Form[] {
  return [
    ...sharedObjects(asked, name),
    ...statefulFunctions(asked, name),
    ...chosenOrder(asked, name),
    ...closures(asked, name),
    ...structures(asked, name),
    ...families(asked, name),
    ...guides(asked, name),
    ...sequences(asked, name),
    ...innerData(asked, name),
    ...innerInference(asked, name),
  ];
}

/** Objects that go by several names, and are changed under any. */
function sharedObjects({ bounded, truth, index, list }: Asked, name: string): readonly Form[] {
  const q = `${name}q`;
  const arms = `const ${q} = [{w: 1, l: 0.2}, {w: ${bounded()}, l: 0.5}, {w: 0.3, l: 0.1}];`;
  return [
    () =>
      `const ${q} = {n: 0.2, seen: []}; const ${name}r = ${truth()} ? ${q} : {n: ${bounded()}, seen: [1]}; ${name}r.n += ${bounded()}; ${q}.seen.push(${bounded()}); ${name}r.seen.push(0.1); var ${name} = tanh(${q}.n - ${name}r.n) + 0.1 * ${q}.seen.length + tanh(sum(${name}r.seen));`,
    () =>
      `${arms} const ${name}r = ${q}[${index()}]; ${name}r.w += ${bounded()}; if (${truth()}) { ${q}[${index()}].l++; } var ${name} = tanh(${q}[0].w - ${q}[1].l + ${name}r.w);`,
    () =>
      `${arms} const ${name}f = function(o, by) { o.w += by; if (o.w > ${bounded()}) { o.l += 1; } return o; }; ${name}f(${truth()} ? ${q}[0] : ${q}[2], ${bounded()}).l -= 0.3; ${name}f(${q}[1], 0.2); var ${name} = tanh(${q}[0].l + ${q}[1].w - ${q}[2].l);`,
    () =>
      `${arms} for (const x of ${list()}) { const best = ${q}.reduce((s, t) => (s.w > t.w ? s : t)); best.w -= 0.5 + 0.1 * x; if (x > ${bounded()}) { best.l += 0.2; } } var ${name} = tanh(${q}[0].w + ${q}[1].l);`,
    () =>
      `const ${q} = {x: ${bounded()}, low: 0, pay(by) { ${q}.x -= by; if (${q}.x < 0) { ${q}.low++; } return ${q}.x; }}; if (${truth()}) { ${q}.pay(${bounded()}); } else { ${q}.x += 0.3; } ${q}.pay(0.2); var ${name} = tanh(${q}.x + 0.3 * ${q}.low);`,
    () =>
      `const ${q} = {a: {n: ${bounded()}}, b: {n: 0.4}}; const ${name}r = ${truth()} ? ${q}.a : ${q}.b; ${q}.c = ${name}r; ${name}r.n = ${bounded()}; if (${truth()}) { ${q}.b = ${q}.a; } ${q}.b.n += 0.2; var ${name} = tanh(${q}.a.n + ${q}.c.n);`,
    () =>
      `const ${q} = new Map([['a', {n: 0.1}], ['b', {n: ${bounded()}}]]); const ${name}r = ${q}.get(${truth()} ? 'a' : 'b'); ${name}r.n += ${bounded()}; var ${name} = tanh(${q}.get('a').n - ${q}.get('b').n);`,
  ];
}

/** Tables of functions, and what they remember. */
function statefulFunctions({ bounded, truth, index, list, choice }: Asked, name: string): readonly Form[] {
  const t = `${name}t`;
  return [
    () =>
      `let ${t} = ${bounded()}; const ${name}f = {up: () => { ${t} += 0.3; return 0.1; }, down: () => { ${t} -= ${bounded()}; return ${t}; }}; const ${name}q = ${name}f[${truth()} ? 'up' : 'down'](); ${name}f.up(); var ${name} = tanh(${t} + ${name}q);`,
    () =>
      `let ${t} = 0; const ${name}f = [(x) => { ${t} += x; }, (x) => { ${t} = ${choice()}; }, () => {}]; ${name}f[${index()}](${bounded()}); ${name}f[${index()}](0.2); var ${name} = tanh(${t});`,
    () =>
      `const ${name}m = function(start) { let n = start; return {add: (x) => { n += x; return n; }, get: () => n}; }; const ${name}a = ${name}m(0), ${name}b = ${name}m(${bounded()}); (${truth()} ? ${name}a : ${name}b).add(${bounded()}); for (const x of ${list()}) { if (x > ${bounded()}) { ${name}a.add(0.1); } } var ${name} = tanh(${name}a.get() - ${name}b.get());`,
  ];
}

/** Order, and collections, that choices make. */
function chosenOrder({ bounded, truth, index, list, text, choice }: Asked, name: string): readonly Form[] {
  const q = `${name}q`;
  const items = (): string => `[{k: ${choice()}, v: 1}, {k: ${bounded()}, v: 0.5}, {k: ${bounded()}, v: -0.4}]`;
  return [
    () => `const ${q} = ${items()}.sort((s, t) => s.k - t.k); var ${name} = tanh(${q}[0].v + ${q}[2].k);`,
    () => `const ${q} = _.sortBy(${items()}, 'k'); var ${name} = tanh(${q}[1].v);`,
    () => `var ${name} = maxWith((t) => t.k, ${items()})[0].v;`,
    () => `var ${name} = tanh([...${list()}].sort((s, t) => t - s).indexOf(${bounded()}) + sort(${list()})[0]);`,
    () =>
      `const ${q} = new Map(); for (const x of ${list()}) { const k = x > ${bounded()} ? 'a' : ${text()}; ${q}.set(k, [...(${q}.get(k) ?? []), x]); } var ${name} = ${q}.size + tanh(sum(${q}.get('a') ?? [0.2]));`,
    () =>
      `const ${q} = new Set([${index()}, ${index()}, ${index()}]); let ${name} = 0.1 * ${q}.size; for (const k of ${q}) { ${name} += 0.1 * k + tanh(${choice()}); }`,
    () =>
      `const ${q} = {}; for (const k of [${text()}, 'a', ${text()}]) { ${q}[k] = (${q}[k] ?? 0) + 1; } var ${name} = ${q}.a + 0.2 * Object.keys(${q}).length;`,
    () =>
      `const ${q} = _.groupBy(${list()}, (x) => (x > ${bounded()} ? 'high' : 'low')); var ${name} = tanh(sum(${q}.high ?? [0.1]) - (${q}.low ?? []).length);`,
    () =>
      `const ${q} = [0.1, 0.2, 0.3]; const ${name}k = ${index()}; [${q}[0], ${q}[${name}k]] = [${q}[${name}k], ${q}[0]]; if (${truth()}) { ${q}.reverse(); } var ${name} = ${q}[0] - ${q}[2];`,
  ];
}

/** Functions that data or iterations return, and parameters that are chosen where none is given. */
function closures({ bounded, truth, list, choice, pick }: Asked, name: string): readonly Form[] {
  const f = `${name}f`;
  return [
    () =>
      `const ${f} = function(x, y = ${choice()}, {z = ${choice()}, w} = {}) { return tanh(x + y) - 0.3 * z; }; var ${name} = ${f}(${bounded()}) + ${f}(0.2, ${bounded()}) + ${f}(0.1, 0.2, ${truth()} ? {z: 0.4} : {});`,
    () =>
      `const ${f} = map(function(x) { const q = ${choice()}; return (y) => y + tanh(q) * x; }, ${list()}); var ${name} = tanh(sum(${f}.map((g) => g(${bounded()}))));`,
    () =>
      `const ${f} = (function(q) { return ${truth()} ? (x) => x * tanh(q) : () => q; })(${choice()}); var ${name} = tanh(${f}(${bounded()}));`,
    () =>
      `const ${f} = [0.2, ${bounded()}].reduce((g, x) => (y) => g(y) + x * tanh(${choice()}), (y) => y); var ${name} = tanh(${f}(${bounded()}));`,
    () =>
      `const ${f} = mem(function(k) { const g = mem(function(j) { return ${choice()}; }); return tanh(g(k) + g(0) + g(k)); }); var ${name} = ${f}(${pick(['1', 'i'])}) + ${f}(0);`,
  ];
}

/** Recursion that returns structures, and loops without a known end. */
function structures({ bounded, truth, choice, pick }: Asked, name: string): readonly Form[] {
  const f = `${name}f`;
  const coin = (): string => pick([() => 'flip(0.5)', truth, () => `flip(sigmoid(${bounded()}))`])();
  return [
    () =>
      `const ${f} = function(n, acc) { if (n === 3 || ${coin()}) { return acc; } return ${f}(n + 1, {n: acc.n + 1, xs: [...acc.xs, ${choice()}], last: {at: acc.last, t: ${bounded()}}}); }; const ${name}q = ${f}(0, {n: 0, xs: [], last: null}); var ${name} = tanh(sum(${name}q.xs) + ${name}q.n + (${name}q.last?.at?.t ?? 0.3));`,
    () =>
      `const ${f} = function(n) { if (n === 0) { return [${choice()}, 1]; } const [x, k] = ${f}(n - 1); return ${coin()} ? [x + 0.2, k + 1] : [tanh(x), k]; }; const [${name}q, ${name}k] = ${f}(2); var ${name} = tanh(${name}q) + 0.2 * ${name}k;`,
    () =>
      `let ${name} = 0; let ${name}n = 0; while (true) { if (${name}n >= 3 || ${coin()}) { break; } ${name}n++; if (${coin()}) { continue; } ${name} += tanh(${choice()}); }`,
    () =>
      `let ${name} = 0; outer: for (let j = 0; j < 2; j++) { for (let k = 0; k < 2; k++) { if (${coin()}) { ${pick(['continue outer', 'break outer', 'break', 'continue'])}; } ${name} += 0.2 * tanh(${choice()}) + 0.1 * k; } }`,
    () =>
      `const ${name}q = repeat(sample(RandomInteger({n: 3})), function() { return ${choice()}; }); var ${name} = tanh(sum(${name}q)) + 0.1 * ${name}q.length;`,
    () =>
      `const ${f} = function(n) { return n === 0 ? ${coin()} : !${name}g(n - 1); }; const ${name}g = function(n) { return n === 0 ? true : ${f}(n - 1) || ${coin()}; }; var ${name} = ${f}(2) ? ${bounded()} : 0.1;`,
  ];
}

/** Families of families, and parameters that are logits. */
function families({ bounded, truth, index, choice, pick }: Asked, name: string): readonly Form[] {
  const one = (): string =>
    pick([
      () => `Gaussian({mu: ${bounded()}, sigma: 1})`,
      () => `Logistic({location: ${bounded()}, scale: softplus(${bounded()}) + 0.3})`,
      () => `Laplace({location: ${bounded()}, scale: 1})`,
    ])();
  const counts = (): string =>
    pick([
      () => `ZeroInflated({dist: Poisson({mu: softplus(${bounded()}) + 0.2}), p: sigmoid(${bounded()})})`,
      () => `NegativeBinomial({r: softplus(${bounded()}) + 0.2, p: 0.4})`,
      () => `Binomial({n: 3, logits: ${bounded()}})`,
      () => `Geometric({p: sigmoid(${bounded()})})`,
      () => `BetaBinomial({n: 3, a: softplus(${bounded()}) + 0.3, b: 1})`,
      () => `OrderedLogistic({eta: ${bounded()}, cutpoints: [-1, ${bounded()} + 2]})`,
    ])();
  const bounds = 'a: -3, b: 3';
  const mixed = (): string => `Mixture({dists: [${one()}, ${one()}], ps: [0.3, sigmoid(${bounded()})]})`;
  const observed = (of: string, value: string): string => `observe(${of}, ${value}); var ${name} = 0.2;`;
  return [
    () => observed(mixed(), bounded()),
    () => observed(`Truncated({dist: ${one()}, ${bounds}})`, bounded()),
    () => observed(`Censored({dist: ${one()}, a: -0.5, b: 1})`, pick([() => '1', () => '0.3', () => '-0.5'])()),
    () => observed(counts(), pick(['0', '1', '2'])),
    () => observed(`Bernoulli({logits: ${bounded()}})`, truth()),
    () => observed(`Discrete({logits: [0.1, ${bounded()}, 0.3]})`, index()),
    () => `var ${name} = sample(${mixed()});`,
    () => `var ${name} = sample(Truncated({dist: ${one()}, ${bounds}}));`,
    () => `var ${name} = 0.3 * sample(${counts()});`,
    () => `var ${name} = sample(Bernoulli({logits: ${bounded()}})) ? ${choice()} : 0.2;`,
    () => `var ${name} = ps[sample(Discrete({logits: [0.1, ${bounded()}, 0.3]}))];`,
    () =>
      `const ${name}q = sample(MultivariateGaussian({mu: Vector([${bounded()}, 0]), cov: Matrix([[1, 0.3], [0.3, 1]])})); var ${name} = tanh(T.get(${name}q, 0) - T.get(${name}q, 1));`,
    () => `var ${name} = sample(Delta({v: ${bounded()}}));`,
  ];
}

/** Guides that run first, that choose, or are mixtures; rules that choices name. */
function guides({ bounded, truth, choice, pick }: Asked, name: string): readonly Form[] {
  const weight = (): string => `param({name: '${pick(['w', 'u'])}'}) * ${bounded()}`;
  const normal = (): string => `Gaussian({mu: ${weight()}, sigma: 0.8})`;
  const guided = (guide: string): string => `var ${name} = sample(Gaussian({mu: ${bounded()}, sigma: 1}), ${guide});`;
  const coin = (): string =>
    `sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(${weight()})}), gradient: '${pick(['enumerate', 'measure', 'muprop', 'rebar', 'score', 'nvil', 'leaveOneOut'])}'})`;
  const place = (): string =>
    `sample(Discrete({ps: [0.2, 0.3, 0.5]}), {guide: Discrete({ps: simplex(Vector([${weight()}, 0.1]))}), gradient: '${pick(['enumerate', 'muprop', 'rebar', 'score', 'leaveOneOut'])}'})`;
  return [
    () =>
      `const ${name}q = guide(function() { return {mu: ${weight()}, sigma: softplus(param({name: 's'})) + 0.2}; }); ${guided(`{guide: function() { return Gaussian(${name}q()); }}`)}`,
    () => guided(`{guide: function() { const q = flip(sigmoid(${weight()})); return q ? ${normal()} : ${normal()}; }}`),
    () =>
      guided(
        `{guide: function() { const q = sample(${normal()}); return Gaussian({mu: tanh(q), sigma: 0.8}); }${pick(['', ', guideSamples: 2'])}}`,
      ),
    () => guided(`{guide: Mixture({dists: [${normal()}, ${normal()}], ps: [0.4, sigmoid(${weight()})]})}`),
    () => guided(`{guide: ${normal()}, gradient: '${pick(['pathwise', 'score', 'nvil', 'leaveOneOut'])}'}`),
    () => `var ${name} = ${coin()} ? ${bounded()} : 0.2;`,
    () => `var ${name} = tanh((${coin()} ? 1 : -1) * ${choice()});`,
    () => `var ${name} = ps[${place()}];`,
    () => `var ${name} = 0.2; if (${truth()}) { ${name} = ${place()} === 1 ? ${choice()} : 0.4; }`,
    () => `var ${name} = sum(repeat(2, function() { return ${coin()} ? 0.3 : ${bounded()}; }));`,
  ];
}

/** Sequences, whose states are drawn or summed over. */
function sequences({ bounded, truth, list, choice, pick }: Asked, name: string): readonly Form[] {
  const hidden = (): string =>
    pick([
      () => `flip(t ? 0.8 : 0.3)`,
      () => `sample(Bernoulli({p: t ? 0.7 : 0.2}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}) * y)})})`,
      () => `(t || flip(sigmoid(${bounded()})))`,
    ])();
  return [
    () =>
      `var ${name} = foldData({data: ${list()}, init: 0.1}, function(t, y) { const next = tanh(t + ${choice()}); observe(Gaussian({mu: next, sigma: 1}), y); return next; });`,
    () =>
      `const ${name}q = foldData({data: ${list()}, init: {x: 0, n: 0}}, function({x, n}, y, j) { return ${truth()} ? {x: tanh(x + y), n: n + 1} : {x: ${bounded()}, n: n}; }); var ${name} = tanh(${name}q.x + ${name}q.n);`,
    () =>
      `const ${name}q = foldData({data: ${list()}, init: ${truth()}}, function(t, y) { const next = ${hidden()}; observe(Gaussian({mu: next ? m : -0.5, sigma: 1}), y); return next; }); var ${name} = ${name}q ? 0.4 : 0.1;`,
    () =>
      `foldData({data: ${list()}, init: false, sumOut: true}, function(t, y) { const next = flip(t ? 0.8 : sigmoid(m)); observe(Gaussian({mu: next ? ${bounded()} : -0.5, sigma: 1}), y); return next; }); var ${name} = 0.3;`,
    () =>
      `var ${name} = reduce(function(y, t) { return ${truth()} ? tanh(t + y) : t + 0.1 * tanh(${choice()}); }, 0.2, ${list()});`,
  ];
}

/** Data within the datum: ragged, in helpers that are called twice. */
function innerData({ bounded, truth, list, choice }: Asked, name: string): readonly Form[] {
  const f = `${name}f`;
  const rest = `var ${name} = 0.3;`;
  return [
    () =>
      `mapData({data: [${list()}, [0.1], ${list()}]}, function(r, j) { const q = ${choice()}; mapData({data: r}, function(y) { observe(Gaussian({mu: tanh(q) + ${bounded()}, sigma: 1}), y); }); }); ${rest}`,
    () =>
      `const ${f} = function(r, q) { mapData({data: r}, function(y) { const x = ${choice()}; observe(Gaussian({mu: tanh(x + q), sigma: 1}), y); }); }; ${f}(${list()}, ${bounded()}); ${f}([0.2, 0.7], 0.1); ${rest}`,
    () =>
      `const ${f} = mapData({data: ${list()}}, function(y) { const q = ${choice()}; return (x) => x * tanh(q) + y; }); var ${name} = tanh(sum(${f}.map((g) => g(${bounded()}))));`,
    () =>
      `const ${f} = mapData({data: ${list()}}, function(y) { return ${truth()} ? {at: y, size: ${choice()}} : {at: 0.2, size: 0.1}; }); var ${name} = tanh(${f}.reduce((t, {at, size}) => t + at * size, 0));`,
    () =>
      `mapData({data: [{r: ${list()}, k: 1}, {r: [0.2, 0.4], k: 0}]}, function({r, k}) { if (k > 0) { const q = ${choice()}; r.forEach((y) => { observe(Gaussian({mu: tanh(q), sigma: 1}), y); }); } else { observe(Gaussian({mu: ${bounded()}, sigma: 1}), sum(r)); } }); ${rest}`,
  ];
}

function innerInference({ bounded, truth, index, pick }: Asked, name: string): readonly Form[] {
  const method = (): string =>
    pick([
      "{method: 'forward', samples: 3}",
      "{method: 'importance', samples: 4}",
      "{method: 'MCMC', samples: 4}",
      "{method: 'SMC', particles: 4}",
      "{method: 'rejection', samples: 3, maxScore: 0}",
      '{}',
    ]);
  return [
    () =>
      `var ${name} = tanh(expectation(Infer(${method()}, function() { const a = flip(sigmoid(${bounded()})); factor(a ? -0.2 : -0.1); return a ? 1 : 0.2; })));`,
    () =>
      `const ${name}q = Infer(function() { const a = flip(0.3), b = flip(0.6); condition(a || b || ${truth()}); return {a, b}; }); var ${name} = sample(${name}q).a ? ${bounded()} : 0.3;`,
    () =>
      `const ${name}f = dp.cache(function(k) { return Infer(function() { const a = sample(RandomInteger({n: 3})); factor(a === k ? 0 : -1); return a; }); }); var ${name} = Math.exp(${name}f(${index()}).score(1)); observe(${name}f(1), ${index()});`,
  ];
}
