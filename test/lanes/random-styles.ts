/**
 * Forms of programs as people write them, for random programs under gradients: array methods, local mutation, Maps and Sets, loops
 * that end when choices say so, distributions, guides and functions that choices pick, values of several kinds, `mem` and `dp.cache`.
 */
import type { Asked } from './random-hosts.ts';

type Form = () => string;

/** Statements that declare a number of this name. `remembered` is a function of `mem` around the data. */
export function styledStatements(asked: Asked, name: string): readonly Form[] {
  return [
    ...arrayMethods(asked, name),
    ...ownChanges(asked, name),
    ...loops(asked, name),
    ...pickedDistributions(asked, name),
    ...severalKinds(asked, name),
    ...remembering(asked, name),
  ];
}

/** Bodies of functions that give a number by way of statements that decide something. */
export function controlledBodies({ bounded, truth, index, list, choice }: Asked): readonly Form[] {
  return [
    () => `switch (true) { case ${truth()}: return ${bounded()}; case ${truth()}: return ${choice()}; } return 0.3;`,
    () => `switch (1) { case ${index()}: return ${bounded()}; default: return ${bounded()}; }`,
    () => `try { if (${truth()}) { throw ${bounded()}; } return ${choice()}; } catch (e) { return 0.5 * e; }`,
    () =>
      `let t = 0; try { if (${truth()}) { throw {a: ${bounded()}}; } t += 0.1; } catch ({a}) { t += a; } finally { t += 0.2; } return t;`,
    () => `let t = ${truth()} ? 0 : ${bounded()}; t ||= ${choice()}; t &&= 0.5 * t; return t;`,
    () => `return (${truth()} ? {a: ${bounded()}} : undefined)?.a ?? ${bounded()};`,
    () => `return ({a: 1, ...(${truth()} && {b: ${bounded()}})}).b ?? 0.4;`,
    () => `return ps[${index()} + 1] ?? ${bounded()};`,
    () => `return ${index()} > 0 && ps[${index()} - 1] || 0.1;`,
    () => `let t = 0; for (const x of ${list()}) { if (x > ${bounded()}) { break; } t += x; } return tanh(t);`,
  ];
}

function arrayMethods({ bounded, index, list, pair, choice, pick }: Asked, name: string): readonly Form[] {
  return [
    () => `var ${name} = tanh(_.sum(${list()}.filter(x => x > ${bounded()})));`,
    () => `var ${name} = 0.3 * ${list()}.map(x => x + ${choice()}).filter(x => x > ${bounded()}).length;`,
    () => `var ${name} = tanh(sum(${list()}.flatMap((x, j) => [x, 0.1 * j + ${bounded()}])));`,
    () => `var ${name} = tanh(sum(${list()}.flatMap(x => x > ${bounded()} ? [x] : [])));`,
    () => `var ${name} = tanh(${list()}.reduce((t, x) => t + 0.3 * x + ${bounded()}, ${bounded()}));`,
    () => `var ${name} = ${list()}.${pick(['some', 'every'])}(x => x > ${bounded()}) ? ${bounded()} : 0.4;`,
    () => `var ${name} = ${list()}.find(x => x > ${bounded()}) ?? ${bounded()};`,
    () => `var ${name} = 0.5 * ${list()}.findIndex(x => x > ${bounded()});`,
    () => `var ${name} = tanh(sum(Array.from({length: ${pick([index, () => '3'])()}}, (_, j) => j + ${choice()})));`,
    () => `var ${name} = tanh(sum(Array.from(${list()}, x => x * ${bounded()})));`,
    () => `var ${name} = tanh(sum([...${list()}.entries()].map(([j, x]) => 0.2 * j * x)));`,
    () => `let ${name} = 0; for (const [j, x] of ${list()}.entries()) { ${name} += 0.1 * j * x + ${bounded()}; }`,
    () => `let ${name} = 0; ${list()}.forEach((x, j) => { ${name} += 0.2 * x; });`,
    () => `var [${name} = 0.2, ...${name}q] = ${list()}; ${name} = tanh(${name}) + 0.1 * ${name}q.length;`,
    () => `var ${name} = tanh(sum([...${list()}].reverse().slice(${pick(['0, 1', '1', '-1'])})));`,
    () => `var ${name} = tanh(sum(Object.entries(${pair()}).map(([key, x]) => (key === 'a' ? x : 0.1))));`,
    () => `const {a: ${name}q, ...${name}r} = ${pair()}; var ${name} = tanh(${name}q) + Object.keys(${name}r).length;`,
  ];
}

/** What a function makes and changes itself. */
function ownChanges({ bounded, truth, index, list, text, pick }: Asked, name: string): readonly Form[] {
  const q = `${name}q`;
  const used = `var ${name} = tanh(sum(${q})) + 0.1 * ${q}.length;`;
  return [
    () => `const ${q} = []; for (const x of ${list()}) { if (x > ${bounded()}) { ${q}.push(x); } } ${used}`,
    () =>
      `const ${q} = [0.1]; if (${truth()}) { ${q}.push(${bounded()}); } else { ${q}.push(0.3, ${bounded()}); } ${used}`,
    () => `const ${q} = [0.1, ${bounded()}]; if (${truth()}) { ${q}.${pick(['pop', 'shift'])}(); } ${used}`,
    () => `const ${q} = [0.1, 0.2, 0.3]; ${q}[${index()}] ${pick(['=', '+='])} ${bounded()}; ${used}`,
    () =>
      `const ${q} = [0, 0, 0]; for (const k of [${index()}, ${index()}]) { ${q}[k]++; } var ${name} = ${q}[1] - ${q}[2];`,
    () =>
      `const ${q} = {n: 0, t: 0.5}; ${list()}.forEach(x => { if (x > ${bounded()}) { ${q}.n++; } ${q}.t += 0.1 * x; }); var ${name} = tanh(${q}.n + ${q}.t);`,
    () =>
      `const ${q} = {n: 0.1}; if (${truth()}) { ${q}.n = ${bounded()}; ${q}.m = 0.4; } var ${name} = ${q}.n + (${q}.m ?? 0.2);`,
    () =>
      `const ${q} = new Map(); for (const k of [${index()}, ${index()}, 1]) { ${q}.set(k, (${q}.get(k) ?? 0) + 1); } var ${name} = ${q}.size + 0.3 * (${q}.get(1) ?? 0.5);`,
    () =>
      `const ${q} = new Map([['a', ${bounded()}]]); ${q}.set(${text()}, ${bounded()}); var ${name} = tanh([...${q}.values()].reduce((s, x) => s + x, 0));`,
    () =>
      `const ${q} = new Set([1]); ${q}.add(${index()}); if (${truth()}) { ${q}.add(2); } var ${name} = ${q}.size + (${q}.has(2) ? 0.5 : 0);`,
  ];
}

/** Loops and recursion that end when choices say so. */
function loops({ bounded, truth, index, list, choice, pick }: Asked, name: string): readonly Form[] {
  const coin = (): string => pick([() => 'flip(0.6)', truth, () => `flip(sigmoid(${bounded()}))`])();
  return [
    () => `let ${name} = 0; while (${name} < 3 && ${coin()}) { ${name} += 1; }`,
    () =>
      `let ${name} = ${bounded()}; let ${name}n = 0; while (${name}n++ < 3 && ${name} < ${bounded()}) { ${name} += 0.3 + 0.1 * tanh(${choice()}); }`,
    () => `let ${name} = 0; do { ${name} += 0.4 + 0.1 * ${bounded()}; } while (${name} < 1.5 && ${coin()});`,
    () =>
      `let ${name} = 0; for (let j = 0; j < 3; j++) { if (${coin()}) { ${pick(['continue', 'break'])}; } ${name} += tanh(${choice()}); }`,
    () =>
      `const ${name} = (function() { for (let j = 0; j < 3; j++) { const q = ${choice()}; if (q > ${bounded()}) { return tanh(q); } } return ${bounded()}; })();`,
    () =>
      `const ${name} = (function() { for (const q of ${list()}) { if (q > ${bounded()}) { return 0.5 * q; } } return ${bounded()}; })();`,
    () =>
      `const ${name} = (function() { let t = 0; for (let j = 0; j <= ${index()}; j++) { for (const q of [0.2, ${bounded()}]) { if (q > ${bounded()}) { return t; } t += q; } } return t; })();`,
    () =>
      `const ${name}f = function(xs) { return xs.length >= 2 || ${coin()} ? xs : ${name}f([...xs, ${choice()}]); }; const ${name} = tanh(sum(${name}f([])));`,
    () =>
      `const ${name}f = function(xs) { if (xs.length >= 2 || ${coin()}) { return xs; } return ${name}f(xs.concat({at: ${choice()}, size: ${bounded()}})); }; const ${name} = tanh(${name}f([]).reduce((t, {at, size}) => t + at * size, 0.1));`,
  ];
}

/** Distributions, guides and functions that choices pick. */
function pickedDistributions({ bounded, truth, index, choice, pick }: Asked, name: string): readonly Form[] {
  const one = (): string =>
    pick([
      () => `Gaussian({mu: ${bounded()}, sigma: 1})`,
      () => `Gaussian({mu: ${bounded()}, sigma: softplus(${bounded()}) + 0.3})`,
      () => `Laplace({location: ${bounded()}, scale: 1})`,
      () => `StudentT({df: 3, location: ${bounded()}, scale: 1})`,
    ])();
  const normal = (): string => `Gaussian({mu: param({name: '${pick(['w', 'u'])}'}) * ${bounded()}, sigma: 0.8})`;
  const observed = `var ${name} = 0.3;`;
  return [
    () => `observe(${truth()} ? ${one()} : ${one()}, ${bounded()}); ${observed}`,
    () => `observe([${one()}, ${one()}, ${one()}][${index()}], ${bounded()}); ${observed}`,
    () => `observe([() => ${one()}, () => ${one()}, () => ${one()}][${index()}](), ${bounded()}); ${observed}`,
    () => `const ${name}q = ${truth()} ? ${one()} : ${one()}; var ${name} = 0.2 * ${name}q.score(${bounded()});`,
    () => `var ${name} = sample(${truth()} ? ${one()} : ${one()}, {guide: ${normal()}});`,
    () => `var ${name} = sample(${truth()} ? Gaussian({mu: ${bounded()}, sigma: 1}) : Gaussian({mu: 0, sigma: 2}));`,
    () => `var ${name} = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${truth()} ? ${normal()} : ${normal()}});`,
    () =>
      `var ${name} = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { if (${truth()}) { return ${normal()}; } return ${normal()}; }});`,
    () =>
      `const ${name}q = ${choice()}; const ${name}f = ${truth()} ? (x) => x * tanh(${name}q) : (x) => x + ${bounded()}; var ${name} = ${name}f(${bounded()});`,
    () =>
      `const ${name}f = {up: (x) => x + 0.5, down: (x) => x - ${bounded()}}; var ${name} = ${name}f[${truth()} ? 'up' : 'down'](${bounded()});`,
  ];
}

/** Sides that give values of several kinds, and trees of objects. */
function severalKinds({ bounded, truth, index, choice, pick }: Asked, name: string): readonly Form[] {
  const q = `${name}q`;
  const coin = (): string => pick([() => 'flip(0.6)', truth])();
  return [
    () =>
      `const ${q} = ${truth()} ? {kind: 'a', v: ${choice()}} : 'none'; var ${name} = ${q} === 'none' ? ${bounded()} : tanh(${q}.v);`,
    () => `const ${q} = ${truth()} ? ${choice()} : null; var ${name} = ${q} === null ? ${bounded()} : tanh(${q});`,
    () =>
      `const ${q} = ${truth()} ? {kind: 'a', v: ${choice()}} : {kind: 'b', w: [${bounded()}]}; var ${name} = ${q}.kind === 'a' ? tanh(${q}.v) : ${q}.w[0];`,
    () =>
      `const ${q} = (function() { switch (${index()}) { case 0: return {at: ${bounded()}}; case 1: return ${bounded()}; default: return undefined; } })(); var ${name} = ${q} === undefined ? 0.3 : typeof ${q} === 'number' ? ${q} : ${q}.at;`,
    () =>
      `const ${q} = function(n) { return n === 2 || ${coin()} ? {leaf: true, value: ${choice()}} : {leaf: false, left: ${q}(n + 1), right: ${q}(n + 1)}; }; const ${name}f = function(t) { return t.leaf ? t.value : tanh(${name}f(t.left) + ${name}f(t.right)); }; const ${name} = tanh(${name}f(${q}(0)));`,
    () =>
      `const ${q} = function(n) { return n === 2 || ${coin()} ? null : {value: ${choice()}, next: ${q}(n + 1)}; }; const ${name}f = function(t) { return t === null ? 0 : t.value + 0.5 * ${name}f(t.next); }; const ${name} = tanh(${name}f(${q}(0)));`,
  ];
}

function remembering({ bounded, index, text, choice, pick }: Asked, name: string): readonly Form[] {
  return [
    () => `var ${name} = tanh(remembered(${index()}) + remembered(${pick([index, () => 'i % 2'])()}));`,
    () => `var ${name} = tanh(named('g' + ${pick([index, text])()}));`,
    () =>
      `const ${name}q = mem(function(k, t) { return ${choice()}; }); var ${name} = tanh(${name}q(${index()}, ${text()}));`,
    () =>
      `const ${name}q = dp.cache(function(k) { return k <= 0 ? 0.3 : 0.5 * ${name}q(k - 1) + 0.1; }); var ${name} = tanh(${name}q(${index()}));`,
    () => `const ${name}q = dp.cache(function(x) { return x * m; }); var ${name} = tanh(${name}q(${bounded()}));`,
  ];
}
