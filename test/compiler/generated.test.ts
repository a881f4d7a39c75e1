import { expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { quietRun } from '../program/quiet-run.ts';

/**
 * Random deterministic programs. Every value is a number, every loop is short, and functions only call those before
 * them, so all programs end. `id` cannot be seen through by the compiler: calls of it are addressed.
 */
class Generator {
  private readonly random: RandomStream;
  private names: string[] = [];
  /** Counters of loops, which must not be assigned to. */
  private readonly counters = new Set<string>();
  private functions: string[] = [];
  private count = 0;

  constructor(seed: number) {
    this.random = RandomStream.fromSeed(seed).begin();
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[this.random.integer(choices.length)];
  }

  private fresh(): string {
    return `${this.pick(['x', 'y', '$a', '$t', 'it'])}${++this.count}`;
  }

  program(): string {
    const parts = ['var id = [function(v) { return v; }][0];', 'var box = {id: id, log: [], n: 1};'];
    const functions = 2 + this.random.integer(3);
    for (let i = 0; i < functions; i++) parts.push(this.fun(`f${i}`));
    this.names = [];
    parts.push(this.block(4, 3), `[${this.expression(3)}, ${this.expression(2)}, box.log, box.n]`);
    return parts.join('\n');
  }

  private fun(name: string): string {
    const outer = this.names;
    const a = this.fresh();
    const b = this.fresh();
    this.names = [a, b];
    const body = this.block(2, 2);
    const result = this.expression(2);
    this.names = outer;
    const parameters = this.pick([
      `${a}, ${b}`,
      `${a}, ${b} = 2`,
      `${a}, ${b} = id(${a}) + 1`,
      `${a} = id(3), ...[${b} = id(${a})]`,
    ]);
    this.functions.push(name);
    const text = `{ ${body} return ${result}; }`;
    return this.pick([
      `var ${name} = function(${parameters}) ${text};`,
      `var ${name} = (${parameters}) => ${text};`,
      `function ${name}(${parameters}) ${text}`,
      `var ${name} = function own(${parameters}) ${text};`,
    ]);
  }

  private block(statements: number, depth: number): string {
    const outer = this.names;
    const text = Array.from({ length: statements }, () => this.statement(depth)).join(' ');
    // Names stay known: declarations are `var`, or stand at the level of the caller.
    if (depth <= 1) this.names = outer;
    return text;
  }

  private inner(depth: number): string {
    const outer = [...this.names];
    const text = this.block(2, depth);
    this.names = outer;
    return text;
  }

  private statement(depth: number): string {
    const name = this.fresh();
    const assignable = this.names.filter((known) => !this.counters.has(known));
    const target = assignable.length > 0 ? this.pick(assignable) : undefined;
    const value = this.expression(2);
    const declare = (text: string): string => {
      this.names = [...this.names, name];
      return text;
    };
    const simple = [
      () => declare(`var ${name} = ${value};`),
      () => declare(`let ${name} = ${value};`),
      () => declare(`var {${name} = ${value}} = {};`),
      () => declare(`var [, ${name} = ${value}] = [1, ${this.expression(1)}];`),
      () => `box.log.push(${value});`,
      () => `box.n += ${value} % 7;`,
      () => 'box.n++;',
      () => (target === undefined ? ';' : `${target} ${this.pick(['=', '+=', '-=', '*='])} ${value} % 11;`),
      () => (target === undefined ? ';' : `${target}${this.pick(['++', '--'])};`),
      () => `box["k" + ${value} % 3] = ${this.expression(1)};`,
    ];
    if (depth === 0) return this.pick(simple)();
    const i = this.fresh();
    this.counters.add(i);
    const withCounter = (make: (body: string) => string): string => {
      const outer = this.names;
      this.names = [...outer, i];
      const body = this.inner(depth - 1);
      this.names = outer;
      return make(body);
    };
    const compound = [
      () => `if (${this.condition()}) { ${this.inner(depth - 1)} } else { ${this.inner(depth - 1)} }`,
      () => `if (${this.condition()}) { ${this.inner(depth - 1)} }`,
      () =>
        withCounter(
          (body) => `for (let ${i} = 0; ${i} < ${this.pick(['3', 'id(2)', 'box.id(3)'])}; ${i}++) { ${body} }`,
        ),
      () => withCounter((body) => `for (const ${i} of [1, ${this.expression(1)}, id(3)]) { ${body} }`),
      () =>
        withCounter(
          (body) => `{ let n${i} = 0; while (id(n${i}) < 2) { n${i} = id(n${i} + 1); let ${i} = n${i}; ${body} } }`,
        ),
      () =>
        withCounter(
          (body) =>
            `{ let n${i} = 0; do { n${i} += id(1); let ${i} = n${i}; if (${this.condition()}) continue; ${body} } while (n${i} < id(3)); }`,
        ),
      () =>
        `switch (Math.abs(${value}) % 3) { case 0: { ${this.inner(depth - 1)} } case id(1): { ${this.inner(depth - 1)} break; } default: { ${this.inner(depth - 1)} } }`,
      () =>
        `try { if (${this.condition()}) throw {v: ${value}}; ${this.inner(depth - 1)} } catch ({v = 1}) { box.log.push(v); } finally { box.n -= 1; }`,
      () => `[1, ${value}].forEach(q => { ${this.inner(depth - 1)} });`,
    ];
    return this.pick([...simple, ...compound])();
  }

  private condition(): string {
    return `${this.expression(1)} ${this.pick(['<', '>', '<=', '===', '!=='])} ${this.expression(1)}`;
  }

  private expression(depth: number): string {
    const leaves = [
      () => String(this.random.integer(10)),
      () => `-${this.random.integer(5)}`,
      () => (this.names.length > 0 ? this.pick(this.names) : '1'),
      () => 'box.n',
      () => 'id(4)',
    ];
    if (depth === 0) return this.pick(leaves)();
    const e = (): string => this.expression(depth - 1);
    const f = this.functions.length > 0 ? this.pick(this.functions) : 'id';
    const nodes = [
      () => `(${e()} ${this.pick(['+', '-', '*'])} ${e()})`,
      () => `(${e()} ${this.pick(['&', '|', '^', '<<'])} 3)`,
      () => `(${e()} % 5 / 2 - ${e()})`,
      () => `(- ${e()})`,
      () => `(${this.condition()} ? ${e()} : ${e()})`,
      () => `(${e()} ${this.pick(['||', '&&', '??'])} ${e()})`,
      () => `${f}(${e()}, ${e()})`,
      () => `${f}(...[${e()}, ${e()}])`,
      () => `${f}(${e()})`,
      () => `id(${e()})`,
      () => `box.id(${e()})`,
      () => `box?.id?.(${e()})`,
      () => `box["id"](id(${e()}))`,
      () => `[${e()}, ${e()}][${e()} & 1]`,
      () => `({a: ${e()}, ...{b: ${e()}}}).b`,
      () => `[${e()}, ${e()}, 2].map(v => id(v) + ${e()}).reduce((p, q) => p + q, ${e()})`,
      () => `(() => ${e()})()`,
      () => `(${e()}, ${e()})`,
      () => `\`\${${e()}}1\`.length`,
      () => `(box.n++ + --box.n * ${e()})`,
      () => `Math.max(${e()}, ${e()})`,
      () => `((s, v) => s.length + id(v))\`a\${${e()}}b\``,
    ];
    return this.pick([...leaves, ...nodes, ...nodes])();
  }
}

function natively(code: string): unknown {
  // biome-ignore lint/security/noGlobalEval: the reference is JavaScript itself
  return globalThis.eval(`"use strict"; ${code}`);
}

/** NaN, -0 and undefined must not hide in JSON. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, v) => (typeof v === 'number' ? (Object.is(v, -0) ? '-0' : String(v)) : (v ?? String(v))));

test('generated programs give what JavaScript gives', async () => {
  for (let seed = 0; seed < 100; seed++) {
    const code = new Generator(seed).program();
    let expected: unknown;
    try {
      expected = natively(code);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error}\n${code}`);
    }
    const value = (await loadProgram({ code })).run(quietRun());
    expect(shown(value), `seed ${seed}:\n${code}`).toBe(shown(expected));
  }
});
