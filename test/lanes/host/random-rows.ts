/**
 * Rows made at random: JavaScript of all forms inside each other, on choices. Numbers stay small, lists have a few items, and
 * nothing fails but where it is caught.
 */
import { generatorOf, RandomSource } from '../random-source.ts';

/** How deep expressions may be inside each other. */
const DEEPEST = 2;

/** The row with this number. */
export function randomRow(seed: number): string {
  return new RowWriter(generatorOf(seed + 7_000_000)).row();
}

type Kind = 'number' | 'truth' | 'text' | 'list' | 'object' | 'index' | 'fn';

class RowWriter extends RandomSource {
  private depth = 0;
  private names = 0;
  private readonly known: Record<Kind, string[]> = {
    ...{ number: ['k', 'x', 'x', 'w.n', 'o.n'], truth: ['b'], text: ['s', 'w.s'], list: ['l', 'P', 'w.l'] },
    ...{ object: ['w', 'u', 'o', 'm', 'A'], index: ['k'], fn: ['h', 'f'] },
  };

  row(): string {
    const lines = this.times(this.between(1, 3), () => this.statement());
    const kind = this.pick<Kind>(['number', 'number', 'number', 'truth', 'text', 'list']);
    // Lists of real numbers have no digest that does not round.
    const value = kind === 'list' ? `${this.list()}.reduce((a, t) => a / 2 + t, 0)` : this.of(kind);
    return `${lines.join(' ')} return ${value};`;
  }

  private of(kind: Kind): string {
    if (this.depth >= DEEPEST || this.chance(0.4)) return this.pick(this.known[kind]);
    this.depth++;
    const text = this.pick(this.forms(kind))();
    this.depth--;
    return text;
  }

  private readonly number = (): string => this.of('number');
  private readonly truth = (): string => this.of('truth');
  private readonly text = (): string => this.of('text');
  private readonly list = (): string => this.of('list');
  private readonly object = (): string => this.of('object');
  private readonly index = (): string => this.of('index');
  private readonly fn = (): string => this.of('fn');

  private declared(kind: Kind): string {
    const name = `v${this.names++}`;
    this.known[kind].push(name);
    return name;
  }

  private forms(kind: Kind): readonly (() => string)[] {
    switch (kind) {
      case 'number':
        return this.numbers();
      case 'truth':
        return this.truths();
      case 'text':
        return this.texts();
      case 'list':
        return this.lists();
      case 'object':
        return this.objects();
      case 'index':
        return this.indices();
      case 'fn':
        return this.functions();
    }
  }

  /** Objects of JavaScript that change, functions inside of others, empty places. */
  private changing(): readonly (() => string)[] {
    const { number, truth, object, index, fn } = this;
    return [
      () => `Number(BigInt(${index()}) ** 2n)`,
      () => `(q => { q.setUTCHours(${index()}); return q.getUTCHours(); })(new Date(0))`,
      () => `(q => { if (${truth()}) { q.setUTCHours(3); } return q.getUTCHours(); })(new Date(0))`,
      () => `(q => { if (${truth()}) { q.test('aa'); } return q.lastIndex; })(/a/g)`,
      () => `_.cond([[() => ${truth()}, () => ${index()}], [() => true, () => 5]])()`,
      () => `remove(${fn()}, [f, g]).length`,
      () => `[, ${number()}].indexOf(undefined)`,
      () => `[1, , ${number()}].filter(t => t !== ${index()}).length`,
      () => `structuredClone([${number()}])[0]`,
      () => `JSON.stringify({toJSON: () => ${index()}}).length`,
      () => `(new WeakMap([[A, ${number()}], [B, 2]]).get(${object()}) ?? 0.1)`,
      () => `(q => { _.pull(q, ${index()}); return q.length; })([0, 1, 2, 3])`,
    ];
  }

  private numbers(): readonly (() => string)[] {
    const { number, truth, text, list, object, index, fn } = this;
    return [
      () => `(${number()} ${this.pick(['+', '-'])} ${number()})`,
      () => `Math.tanh(${number()} * ${number()})`,
      () => `Math.${this.pick(['sin', 'abs', 'tanh', 'floor', 'round', 'sign'])}(${number()})`,
      () => `Math.${this.pick(['max', 'min'])}(${number()}, ${number()})`,
      () => `Math.max(-9, ...${list()})`,
      () => `(${truth()} ? ${number()} : ${number()})`,
      () => `(${truth()} && ${number()} || ${number()})`,
      () => `(${number()} ${this.pick(['||', '&&'])} ${number()})`,
      () => `(${truth()} ? null : ${number()}) ${'??'} 0.7`.replace(/^(.*)$/, '($1)'),
      () => `+${truth()}`,
      () => `Number(${number()})`,
      () => `+(${number()})`,
      () => `(${index()} ${this.pick(['|', '&', '^', '<<'])} 1)`,
      () => `${text()}.length`,
      () => `${list()}.length`,
      () => `(${list()}[${index()}] ?? 0.3)`,
      () => `(${list()}.at(-1) ?? 0.2)`,
      () => `${object()}.n`,
      () => `${fn()}(${number()})`,
      () => `${list()}.reduce((a, t) => a / 2 + t, ${number()})`,
      () => `${list()}.indexOf(${number()})`,
      () => `objects.indexOf(${object()})`,
      () => `[${object()}, ${object()}].indexOf(${object()})`,
      () => `objects.findIndex(t => t ${this.pick(['===', '==', '!=='])} ${object()})`,
      () => `objects.filter(t => t !== ${object()}).length`,
      () => `_.without(objects, ${object()}).length`,
      () => `_.difference(objects, [${object()}]).length`,
      () => `remove(${object()}, objects).length`,
      () => `(new Map([[A, 1], [B, ${number()}], [C, 3]]).get(${object()}) ?? 0)`,
      () => `(new Map([[${index()}, ${number()}]]).get(${index()}) ?? 0.4)`,
      () => `new Set([${object()}, ${object()}, A]).size`,
      () => `new Set(${list()}).size`,
      () => `new Set([${index()}, ${index()}]).size`,
      () => `[${object()}, ${object()}][${truth()} ? 0 : 1].n`,
      () => `[${number()}, ${number()}, ${number()}][${index()}]`,
      () => `({p: ${number()}, q: ${number()}})[${truth()} ? 'p' : 'q']`,
      () => `({...${object()}, n: ${number()}}).n`,
      () => `({n: 4, ...(${truth()} && {n: ${number()}})}).n`,
      () => `Object.keys({p: 1, ...(${truth()} ? {q: 2} : {})}).length`,
      () => `_.${this.pick(['sum', 'max', 'min', 'size', 'mean'])}([0.1, ...${list()}])`,
      () => `_.clamp(${number()}, -1, 1)`,
      () => `_.get({p: {q: ${number()}}}, 'p.q')`,
      () => `_.cloneDeep({p: ${number()}}).p`,
      () => `_.uniq(${list()}).length`,
      () => `_.sumBy(${list()}, ${fn()})`,
      () => `sum(${list()})`,
      () => `sum(map(${fn()}, ${list()}))`,
      () => `(find(t => t > ${number()}, ${list()}) ?? 0.6)`,
      () => `reduce((t, a) => a / 2 + t, ${number()}, ${list()})`,
      () => `range(${index()}).length`,
      () => `mapN(i => i * 2, ${index()}).length`,
      () => `new Array(${index()}).length`,
      () => `[${index()}, ${truth()}, ${number()}].filter(Boolean).length`,
      () => `parseInt('1' + ${index()})`,
      () => `(words.indexOf(${text()}) + 1)`,
      () => `(${this.pick(['f', 'g'])}.call(null, ${number()}))`,
      () => `${fn()}.apply(null, [${number()}])`,
      () => `((t = ${number()}, ...q) => t + q.length)(${truth()} ? undefined : ${number()}, ...${list()})`,
      () => `(({n, z = ${number()}}) => n - z)(${object()})`,
      () => `(([p = 1, q = ${number()}]) => p - q)(${list()})`,
      ...this.changing(),
    ];
  }

  private truths(): readonly (() => string)[] {
    const { number, truth, text, list, object, index } = this;
    return [
      () => `(${number()} ${this.pick(['<', '>', '<=', '>='])} ${number()})`,
      () => `(${index()} ${this.pick(['===', '!==', '==', '!='])} ${index()})`,
      () => `(${text()} ${this.pick(['===', '!==', '<'])} ${text()})`,
      () => `(${object()} ${this.pick(['===', '!==', '==', '!='])} ${object()})`,
      () => `!${truth()}`,
      () => `(${truth()} ${this.pick(['&&', '||'])} ${truth()})`,
      () => `Boolean(${this.pick([number, index, text])()})`,
      () => `[${index()}].map(Boolean)[0]`,
      () => `[${number()}, ${index()}].${this.pick(['some', 'every'])}(Boolean)`,
      () => `Number.isInteger(${number()})`,
      () => `[${index()}, ${number()}].map(Number.isInteger)[${truth()} ? 0 : 1]`,
      () => `[0, 2].includes(${index()})`,
      () => `${list()}.includes(${index()})`,
      () => `[A, C].includes(${object()})`,
      () => `new Set([0, 1]).has(${index()})`,
      () => `new Set(${list()}).has(${index()})`,
      () => `new Set([A]).has(${object()})`,
      () => `new Map([[${index()}, 1]]).has(${index()})`,
      () => `_.isEqual([${index()}, ${truth()}], [1, true])`,
      () => `_.isEqual(${object()}, ${object()})`,
      () => `('q' in (${truth()} ? {q: 1} : {}))`,
      () => `${text()}.includes('a')`,
      () => `/^c/.test(${text()})`,
      () => `${list()}.some(t => t > ${number()})`,
      () => `${list()}.every(t => t !== ${index()})`,
      () => `any(t => t === ${index()}, ${list()})`,
      () => `all(Boolean, [${index()}, ${truth()}])`,
      () => `(typeof (${truth()} ? ${number()} : ${text()}) === 'number')`,
      () => `((${truth()} ? null : ${object()})?.n === 1)`,
      () => `Object.is(${object()}, A)`,
    ];
  }

  private texts(): readonly (() => string)[] {
    const { truth, text, list, object, index } = this;
    return [
      () => `(${truth()} ? ${text()} : ${text()})`,
      () => `(${text()} || 'none')`,
      () => `\`\${${index()}}\${${truth()}}\``,
      () => `(${text()} + ${index()})`,
      () => `${text()}.slice(${index()})`,
      () => `${text()}.${this.pick(['toUpperCase()', "padEnd(3, '-')", "split('a').join('z')", "replace('a', 'q')"])}`,
      () => `String(${this.pick([index, truth])()})`,
      () => `words[${index()}]`,
      () => `[...${text()}].reverse().join('')`,
      () => `${object()}.s`,
      () => `[${index()}, ${truth()}].join('-')`,
      () => `(typeof (${truth()} ? ${index()} : ${text()}))`,
      () => `JSON.stringify([${index()}, ${truth()}])`,
      () => `_.map(objects, 's')[${index()}]`,
      () => `Object.keys(${object()}).join()`,
      () => `(${list()}.length > 2 ? 'long' : ${text()})`,
    ];
  }

  private lists(): readonly (() => string)[] {
    const { number, truth, list, object, index, fn } = this;
    return [
      () => `[${number()}, ${number()}]`,
      () => `[...${list()}, ${number()}]`,
      () => `(${truth()} ? ${list()} : ${list()})`,
      () => `${list()}.map(t => t - ${number()})`,
      () => `${list()}.map(${fn()})`,
      () => `${list()}.filter(t => t > ${number()})`,
      () => `${list()}.filter(Boolean)`,
      () => `${list()}.concat([${number()}])`,
      () => `${list()}.slice(${index()})`,
      () => `[...${list()}].reverse()`,
      () => `${object()}.l`,
      () => `Array(${index()}).fill(${number()})`,
      () => `_.range(${index()})`,
      () => `range(${index()})`,
      () => `remove(${index()}, [0, 1, 2])`,
      () => `_.without([0, 1, 2], ${index()})`,
      () => `_.compact([${index()}, ${number()}])`,
      () => `_.uniq([${index()}, 1, ${index()}])`,
      () => `unique([${index()}, 1])`,
      () => `[...new Set([${index()}, 1])]`,
      () => `Object.values({p: ${number()}, q: 1})`,
      () => `map(${fn()}, ${list()})`,
      () => `filter(t => t > ${number()}, ${list()})`,
      () => `append(${list()}, [${number()}])`,
      () => `sort([${number()}, 0.5, ${index()}])`,
      () => `[${number()}, 0.5].sort((p, q) => p - q)`,
      () => `[${index()}, ${truth()}].map(Number)`,
      () => `_.flatten([${list()}, [${number()}]])`,
      () => `Array.from(${list()}, t => t + ${index()})`,
    ];
  }

  private objects(): readonly (() => string)[] {
    const { truth, object, index } = this;
    return [
      () => `(${truth()} ? ${object()} : ${object()})`,
      () => `objects[${index()}]`,
      () => `[A, B, C][${index()}]`,
      () => `pickOne(${truth()})`,
      () => `({n: ${this.number()}, s: ${this.text()}, l: ${this.list()}})`,
      () => `[${object()}, {n: ${this.number()}, s: 'ab', l: P}][${truth()} ? 0 : 1]`,
      () => `objects.reduce((a, c) => c.n > ${index()} ? a : c)`,
      () => `(${truth()} && ${object()} || C)`,
      () => `((${truth()} ? null : ${object()}) ?? B)`,
      () => `objects.find(t => t.n === ${index()} + 1)`,
      () => `(objects.find(t => t !== ${object()}) ?? A)`,
      () => `idF(${object()})`,
      () => `new Map([[0, A], [1, B], [2, C]]).get(${index()})`,
      () => `_.find(objects, t => t === ${object()})`,
      () => `_.last([${object()}, ${object()}])`,
    ];
  }

  private indices(): readonly (() => string)[] {
    const { truth, object, index } = this;
    return [
      () => `(${truth()} ? ${index()} : 1)`,
      () => `((${index()} + 1) % 3)`,
      () => `(${object()}.n - 1)`,
      () => `(2 - ${index()})`,
      () => `Math.min(${index()}, 1)`,
      () => `[2, 0, 1][${index()}]`,
      () => `(${index()} ^ (${truth()} ? 0 : 0))`,
      () => `Number(${truth()})`,
    ];
  }

  private functions(): readonly (() => string)[] {
    const { number, truth, fn } = this;
    return [
      () => `(${truth()} ? ${fn()} : ${fn()})`,
      () => `(t => t + ${number()})`,
      () => `(t => ${truth()} ? t : ${number()})`,
      () => 'Math.abs',
      () => `(${truth()} ? Math.abs : Number)`,
    ];
  }

  /** What is declared in it is known only there. */
  private inner(write: () => string): string {
    const before = Object.fromEntries(Object.entries(this.known).map(([kind, names]) => [kind, names.length]));
    const text = write();
    for (const [kind, length] of Object.entries(before)) this.known[kind as Kind].length = length;
    return text;
  }

  private statement(): string {
    const { number, truth, text, list, object, index } = this;
    const assigned = (make: (name: string) => string): string => {
      const name = `v${this.names++}`;
      const line = make(name);
      this.known.number.push(name);
      return line;
    };
    const kind = (): Kind => this.pick<Kind>(['number', 'truth', 'text', 'list', 'object', 'index', 'fn']);
    return this.pick<() => string>([
      () => {
        const of = kind();
        const value = this.of(of);
        return `const ${this.declared(of)} = ${value};`;
      },
      () => assigned((t) => `let ${t} = ${number()}; if (${truth()}) { ${t} = ${number()}; }`),
      () => assigned((t) => `let ${t} = ${number()}; ${t} ${this.pick(['||=', '&&=', '+=', '-='])} ${number()};`),
      () => assigned((t) => `let ${t} = ${index()}; ${t} ${this.pick(['||=', '&&='])} ${number()};`),
      () => assigned((t) => `let ${t} = ${truth()} ? null : ${number()}; ${t} ??= ${number()};`),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; switch (${index()}) { case 0: ${t} = ${number()}; ${this.pick(['break;', ''])} case ${this.pick(['1', index()])}: ${t} += ${number()}; break; default: ${t} = ${number()}; }`,
        ),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; switch (true) { case ${truth()}: ${t} = ${number()}; break; case ${truth()}: ${t} = 2; break; default: ${t} = 3; }`,
        ),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; switch (${object()}) { case A: ${t} = ${number()}; break; case ${object()}: ${t} = 2; }`,
        ),
      () =>
        assigned(
          (t) => `let ${t} = 0; switch (${text()}) { case 'ab': ${t} = 1; break; case ${text()}: ${t} = ${number()}; }`,
        ),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; try { if (${truth()}) { throw ${number()}; } ${t} = ${number()}; } catch (e) { ${t} = e / 2; }`,
        ),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; try { ${t} = objects[${index()} + 1].n; } catch { ${t} = ${number()}; } finally { ${t} += 1; }`,
        ),
      () => assigned((t) => `let ${t} = 0; for (let i = 0; i < ${index()}; i++) { ${t} = ${t} / 2 + ${number()}; }`),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; for (const q of ${list()}) { if (q > ${number()}) { ${this.pick(['continue', 'break'])}; } ${t} += q; }`,
        ),
      () => assigned((t) => `let ${t} = 0; ${list()}.forEach((q, i) => { ${t} = ${t} / 2 + q * i; });`),
      () => assigned((t) => `let ${t} = ${index()}; while (${t} < 3) { ${t} += 1 + ${index()}; }`),
      () => {
        const value = this.inner(() => `${number()}`);
        const test = truth();
        return assigned(
          (t) =>
            `const ${t}f = function() { if (${test}) { return ${value}; } return ${number()}; }; const ${t} = ${t}f();`,
        );
      },
      () => assigned((t) => `const {n: ${t}} = ${object()};`),
      () => {
        const items = `${object()}, {n: ${number()}, s: ${text()}, l: ${list()}}`;
        const at = truth();
        const name = this.declared('object');
        return `const ${name}q = [${items}]; const ${name} = ${name}q[${at} ? 0 : 1];`;
      },
      () => assigned((t) => `const [${t} = ${number()}] = ${list()};`),
      () =>
        assigned((t) => `const ${t}q = []; if (${truth()}) { ${t}q.push(${number()}); } const ${t} = ${t}q.length;`),
      () =>
        assigned(
          (t) =>
            `const ${t}q = new Map(); ${t}q.set(${index()}, ${number()}); const ${t} = ${t}q.get(${index()}) ?? 0.5;`,
        ),
      () => assigned((t) => `const ${t}q = {p: ${index()}}; ${t}q.p ||= ${number()}; const ${t} = ${t}q.p;`),
      () =>
        assigned(
          (t) =>
            `const ${t}q = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({value: i * ${number()}, done: i++ >= ${index()}})}; }}; const ${t} = sum([...${t}q]);`,
        ),
      () =>
        assigned(
          (t) =>
            `let ${t} = 0; const ${t}q = {get p() { ${t}++; return ${number()}; }}; const ${t}r = ${truth()} ? ${t}q.p : 0;`,
        ),
    ])();
  }
}
