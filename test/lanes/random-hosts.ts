/** Forms of JavaScript's own operators, statements, methods and collections, for random programs under gradients. */

/** Who writes expressions of these kinds. */
export interface Asked {
  /** Between −2 and 2. */
  bounded(): string;
  truth(): string;
  index(): string;
  list(): string;
  /** An object with the fields `a` and `b`, perhaps one of `objects`. */
  pair(): string;
  text(): string;
  /** A choice that gives a number. */
  choice(): string;
  pick<T>(items: readonly T[]): T;
}

type Form = () => string;

export function hostNumbers(asked: Asked): readonly Form[] {
  const { bounded, truth, index, list, pair, text, pick } = asked;
  return [
    () => `objects.indexOf(${pair()})`,
    () => `objects.filter(t => t !== ${pair()}).length`,
    () => `remove(${pair()}, objects).length`,
    () => `_.without(objects, ${pair()}).length`,
    () => `new Set([objects[0], ${pair()}]).size`,
    () => `(new Map([[objects[0], ${bounded()}], [objects[1], 2]]).get(${pair()}) ?? 0.5)`,
    () => `(new Map([[0, ${bounded()}], [1, ${bounded()}]]).get(${index()}) ?? 0.3)`,
    () => `new Map([['p', ${bounded()}]]).get('p')`,
    () => `+(${bounded()})`,
    () => `Number(${pick([bounded, truth])()})`,
    () => `_.${pick(['sum', 'mean', 'max', 'min'])}([${bounded()}, ${bounded()}])`,
    () => `Math.max(${bounded()}, ...${list()})`,
    () => `Math.hypot(${bounded()}, 1)`,
    () => `[${index()}, ${bounded()}, ${truth()}].filter(Boolean).length`,
    () => `[${bounded()}, 2].map(Math.abs)[0]`,
    () => `({a: 0.4, ...(${truth()} && {a: ${bounded()}})}).a`,
    () => `new Array(${index()}).length`,
    () => `range(${index()}).length`,
    () => `_.cloneDeep({p: ${bounded()}}).p`,
    () => `((${truth()} ? null : ${bounded()}) ?? ${bounded()})`,
    () => `(({a, z = ${bounded()}}) => tanh(a) - z)(${pair()})`,
    () => `(([p = 0.1, q = ${bounded()}]) => p - q)(${list()})`,
    () => `remove(${index()}, [0, 1, 2]).length`,
    () => `_.uniq([${index()}, 1, 2]).length`,
    () => `Object.keys({p: 1, ['q' + ${index()}]: 2, q1: 3}).length`,
    () => `(${text()} + 'x').length`,
    () => `[...${list()}].sort((p, q) => p - q)[0]`,
    () => `([${bounded()}, , ${bounded()}][${index()}] ?? 0.3)`,
    () => `(structuredClone(new Map([[${index()}, ${bounded()}]])).get(${index()}) ?? 0.2)`,
    () => `Object.getOwnPropertySymbols({p: ${bounded()}, [Symbol.for('q')]: 1}).length`,
  ];
}

export function hostTruths(asked: Asked): readonly Form[] {
  const { bounded, truth, index, pair, pick } = asked;
  return [
    () => `(${pair()} ${pick(['===', '!==', '==', '!='])} objects[${index()}])`,
    () => `objects.includes(${pair()})`,
    () => `Object.is(-${index()}, 0)`,
    () => `new Set([objects[0], objects[2]]).has(${pair()})`,
    () => `new Set([0, 1]).has(${index()})`,
    () => `[${index()}].map(Boolean)[0]`,
    () => `[${bounded()}, ${index()}].${pick(['some', 'every'])}(Number.isInteger)`,
    () => `_.isEqual([${index()}, ${truth()}], [1, true])`,
    () => `('q' in (${truth()} ? {q: 1} : {}))`,
  ];
}

/** Statements that declare a number. */
export function hostStatements(asked: Asked, name: string): readonly Form[] {
  const { bounded, truth, index, list, pair, pick, choice } = asked;
  return [
    () => `let ${name} = ${index()}; ${name} ${pick(['||=', '&&='])} ${bounded()};`,
    () => `let ${name} = ${truth()} ? null : ${bounded()}; ${name} ??= ${bounded()};`,
    () => `let ${name} = 0; switch (true) { case ${truth()}: ${name} = ${bounded()}; break; default: ${name} = 0.7; }`,
    () =>
      `let ${name} = 0; switch (${pair()}) { case objects[0]: ${name} = ${bounded()}; break; default: ${name} = 1; }`,
    () =>
      `let ${name} = 0; switch (1) { case ${index()}: ${name} = ${choice()}; break; default: ${name} = ${bounded()}; }`,
    () =>
      `let ${name} = 0; try { if (${truth()}) { throw ${bounded()}; } ${name} = ${bounded()}; } catch (e) { ${name} = e / 2; }`,
    () =>
      `let ${name} = 0; try { ${name} = tanh(objects[${index()} + 1].b); } catch { ${name} = ${bounded()}; } finally { ${name} += 1; }`,
    () =>
      `let ${name} = 0; for (const q of ${list()}) { if (q > ${bounded()}) { ${pick(['continue', 'break'])}; } ${name} += 0.2 * q; }`,
    () =>
      `const ${name}q = {[Symbol.iterator]: () => ${list()}[Symbol.iterator]()}; const ${name} = tanh(sum([...${name}q]));`,
    () => `const ${name}q = {get p() { return ${bounded()}; }}; const ${name} = ${truth()} ? ${name}q.p : 0.2;`,
    () =>
      `const ${name}q = mem(function(i) { return ${choice()}; }); const ${name} = tanh(${name}q(${index()}) + ${name}q(1));`,
    () => `const ${name}q = [0.5]; if (${truth()}) { ${name}q.push(${bounded()}); } const ${name} = ${name}q.length;`,
  ];
}
