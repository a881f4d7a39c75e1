import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { compileModule, UnreadableModule } from '../../src/modules/compile-module.ts';
import { isCompiled } from '../../src/modules/is-compiled.ts';
import { asItIs, compiled } from './app-module.ts';

/** Modules of all kinds: compiled, each gives what JavaScript does. The default export is a function, asked twice. */
const MODULES: Readonly<Record<string, string>> = {
  'a class': `class A { x = 1; get y() { return this.x + 1; } static s = 3; z() { return this.y * 2; } }
    export default () => { const a = new A(); a.x += 4; return [a.x, a.y, a.z(), A.s]; };`,
  'private fields and static blocks': `class A { #n = 0; static all: number[] = []; static { A.all.push(7); } next() { return ++this.#n; } has(o: object) { return #n in o; } }
    export default () => { const a = new A(); return [a.next(), a.next(), a.has(a), a.has({}), A.all]; };`,
  inheritance: `abstract class A { constructor(protected readonly n: number, public m = 2) {} abstract f(): number; g() { return this.f() + this.n; } }
    class B extends A { override f() { return super.g === undefined ? 0 : this.m * 10; } }
    export default () => new B(5).g();`,
  'a class expression with a name': `const A = class Inner { static f() { return Inner.name; } }; export default () => [A.f(), A.name];`,
  decorators: `const seen: string[] = [];
    function noted(_target: unknown, key: string) { seen.push(key); }
    class A { @noted a() { return 1; } @noted b() { return 2; } }
    export default () => [seen, new A().a()];`,
  enums: `export enum E { A, B = 5, C, D = B * 2 } const enum F { X = 'x' } export default () => [E.A, E.C, E.D, E[5], F.X];`,
  'a namespace': `namespace N { export const x = 1; export function f(y: number) { return x + y; } } export default () => N.f(3);`,
  generators: `function* g(n: number) { for (let i = 0; i < n; i++) { const r: number = yield i; if (r) i += r; } } export default () => { const all = [...g(4)]; const it = g(9); it.next(); return [all, it.next(2).value]; };`,
  'iterators of a class': `class R { constructor(private n: number) {} *[Symbol.iterator]() { for (let i = 0; i < this.n; i++) yield i * i; } } export default () => [...new R(4)].map((x) => x + 1);`,
  this: `function f(this: { x: number }, y: number) { return this.x + y; } const o = { x: 2, m() { return this.x; }, a: () => 3 }; export default () => [f.call({ x: 1 }, 2), o.m(), o.a()];`,
  'arrows in methods': `class A { k = 3; all(xs: number[]) { return xs.map((x) => x * this.k).map((x) => x + 1); } } export default () => new A().all([1, 2]);`,
  'functions in host functions': `function host(this: unknown, n: number) { const twice = (x: number) => x * 2; function add(a: number, b = twice(a)) { return a + b; } return [twice(n), add(n), this === undefined]; } export default () => host(4);`,
  'labels and jumps': `export default () => { const out: number[] = []; outer: for (let i = 0; i < 4; i++) { for (let j = 0; j < 4; j++) { if (j === 2) continue outer; if (i === 3) break outer; out.push(i * 10 + j); } } return out; };`,
  'no semicolons': `const xs: number[] = []
    const o = { f(g: () => number) { return g() } }
    function host(this: unknown) {
      const a = 1
      flip(0)
      const b = 2
      ;[a, b].forEach((x) => xs.push(x))
      return this
    }
    let n = 1
    flip(1)
    n = o.f(() => n + 1)
    export default () => { host(); return [xs.length > 0, n] }`,
  'destructuring and defaults': `export default (() => { const { a, b: { c = 4, ...d }, ...e } = { a: 1, b: { x: 2, y: 3 }, f: 5 } as Record<string, any>; const [g, , h = 7, ...i] = [1, 2, undefined, 4, 5]; return [a, c, d, e, g, h, i]; });`,
  'spread, templates and tags': `const tag = (s: TemplateStringsArray, ...v: unknown[]) => s.raw.join('|') + v.join(','); export default () => [tag\`a\${1}b\${2}\`, \`x\${[1, 2].length}\`, Math.max(...[3, 1]), { ...{ a: 1 }, b: 2 }];`,
  'getters, setters and computed keys': `const k = 'dyn'; export default () => { let hidden = 1; const o = { get v() { return hidden; }, set v(x: number) { hidden = x * 2; }, [k + 1]: 5, [Symbol.toStringTag]: 'T' }; o.v = 4; return [o.v, o.dyn1, String(o)]; };`,
  'try, catch, finally': `export default () => { const out: unknown[] = []; try { try { throw new RangeError('r'); } finally { out.push('f'); } } catch ({ name, message }: any) { out.push(name, message); } try { null!.x; } catch { out.push('t'); } return out; };`,
  'return in finally': `export default () => { const f = () => { try { throw 1; } finally { return 2; } }; return f(); };`,
  'switch and loops': `export default () => { let s = ''; for (const x of [1, 2, 3, 4]) switch (x) { case 1: s += 'a'; case 2: s += 'b'; break; default: s += 'd'; } for (const k in { p: 1, q: 2 }) s += k; let i = 0; do s += i; while (++i < 2); return s; };`,
  'closures over loop variables': `export default () => { const fs: (() => number)[] = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map((f) => f()); };`,
  'optional chains and nullish': `export default () => { const o: any = { a: { b: () => 4 } }; let n: any = null; n ??= 5; return [o?.a?.b?.(), o.x?.y.z, o.x?.(), n, o.a.c ?? 'none', (undefined as any)?.[n]]; };`,
  'exceptions of all kinds': `class E extends Error { constructor(m: string, readonly code: number) { super(m); } } export default () => { try { throw new E('m', 3); } catch (e) { return [e instanceof E, (e as E).code, (e as E).message]; } };`,
  'overloads, generics and casts': `function f(x: string): string; function f(x: number): number; function f(x: any): any { return x; } const g = <T,>(x: T): T => x; export default () => [f(1), g<string>('a'), (<number>2), 3 as unknown as number, 'b' satisfies string];`,
  'bigints, bits and regular expressions': `export default () => [String(2n ** 70n), 5 & 3, -7 >>> 28, ~1, 'a-b-c'.replace(/-/g, '+'), /(?<y>\\d+)/.exec('n12')?.groups?.y];`,
  'arguments and lengths': `function f(a?: number, b?: number) { return [arguments.length, f.length, f.name, a, b]; } export default () => f(1);`,
  'delete, in, void and typeof': `export default () => { const o: any = { a: 1, b: 2 }; delete o.a; return ['a' in o, typeof o, void 0 === undefined, typeof nothingOfThatName]; }; declare const nothingOfThatName: unknown;`,
  'maps, sets and weak ones': `const seen = new WeakMap<object, number>(); export default () => { const o = {}; seen.set(o, 3); return [[...new Set([1, 1, 2])], [...new Map([['a', 1]])], seen.get(o)]; };`,
  'export lists and defaults': `const a = 1; let b = 2; function c() { return a + b; } export { a, b as bb, c }; b = 5; export default () => c();`,
  'changes at top level': `let n = 0; const bump = () => ++n; bump(); bump(); n += 10; export default () => n;`,
  hoisting: `const early = later(); function later() { return 4; } var v; export default () => [early, v];`,
  'a name that strict code keeps': `const o = { let: 1, static: 2, await: 3 }; export default () => [o.let, o.static, o.await];`,
  'names with dollars': `const $price = 3, _$x = 4; export default () => { const $inner = $price + 1; return [$price, _$x, $inner]; };`,
  'arithmetic of text and of dates': `export default () => ['3' as any * 2, 1 + '2', [] + '', new Date(0).getTime() + 1, +'7', -'3'];`,
  'functions that are given another value': `let f = () => 1; const g = () => f(); const before = g(); f = () => 2; export default () => [before, g()];`,
  'methods of objects in host text': `class A { o = { twice(x: number) { return x * 2; }, thrice: (x: number) => x * 3, get four() { return 4; } }; } export default () => { const { o } = new A(); return [o.twice(2), o.thrice(2), o.four]; };`,
  'passing the library on': `export { Infer, flip as toss } from 'waymark'; export default () => 1;`,
  'shadowed names of the library': `const g = (flip: number) => flip + 1; class A { flip() { return 2; } } export default () => [g(1), new A().flip(), { flip: 3 }.flip];`,
  'functions with fields': `const f = Object.assign((x: number) => x + f.k, { k: 3 }); f.k = 4; export default () => [f(1), f.k];`,
  'recursion through an object': `const t = { even: (n: number): boolean => n === 0 || t.odd(n - 1), odd: (n: number): boolean => n !== 0 && t.even(n - 1) }; export default () => [t.even(10), t.odd(7)];`,
  'deep recursion in plain functions': `const sum = (n: number, acc = 0): number => n === 0 ? acc : sum(n - 1, acc + n); export default () => sum(3000);`,
  'comments everywhere': `/* a */ class /* b */ A { /* c */ x /* d */ = /* e */ (y /* f */: number) => /* g */ y + 1 // h
      /* i */ } export default () => new A().x(1) /* j */;`,
  'a proxy': `const p = new Proxy({} as any, { get: (_t, k) => String(k) + '!' }); export default () => p.abc;`,
  'sorting by a host comparison': `class C { constructor(readonly n: number) {} valueOf() { return this.n; } } export default () => [new C(3), new C(1)].sort((a, b) => +a - +b).map(String).length;`,
};

test('modules that import types alone are left as they are', () => {
  const compiles = (text: string, file = 'a.ts') => isCompiled(file, text);
  expect(compiles("import { flip } from 'waymark';")).toBe(true);
  expect(compiles('import * as w from "waymark"')).toBe(true);
  expect(compiles("import 'waymark';")).toBe(true);
  expect(compiles("import { Enumerate } from 'waymark/webppl';")).toBe(true);
  expect(compiles("export { Infer } from 'waymark';")).toBe(true);
  expect(compiles("import type { Distribution } from 'waymark';")).toBe(false);
  expect(compiles("import type { Distribution } from 'waymark';\nimport { flip } from 'waymark';")).toBe(true);
  expect(compiles("import { run } from 'waymark/program';")).toBe(false);
  expect(compiles('flip(0.5)', 'a.wppl')).toBe(true);
  expect(compiles("import { flip } from 'waymark';", 'a.d.ts')).toBe(false);
});

test('a module that cannot be read is left to others, who are told', async () => {
  const reading = compileModule("import { flip } from 'waymark';\nconst x = ;", { file: 'a.ts' });
  await expect(reading).rejects.toThrow(UnreadableModule);
  await expect(reading).rejects.toThrow(
    "a.ts:2:11: this module is not compiled, because it could not be read here: Did not expect ';' here.",
  );
});

describe('modules of apps do what they did before they were compiled', () => {
  for (const [name, text] of Object.entries(MODULES)) {
    test(name, async () => {
      const module = `import { flip } from 'waymark';\n${text}\nexport const used = flip(1);\n`;
      const plain = asItIs(module);
      const made = await compiled(module);
      const ask = ({ default: f }: Record<string, unknown>) => [(f as () => unknown)(), (f as () => unknown)()];
      expect(ask(made)).toEqual(ask(plain));
      expect(Object.keys(made).sort()).toEqual(Object.keys(plain).sort());
    });
  }

  test('async functions and generators', async () => {
    const module = `import { flip } from 'waymark';
      const wait = <T,>(x: T) => new Promise<T>((done) => setTimeout(() => done(x), 1));
      async function* count(n: number) { for (let i = 0; i < n; i++) yield await wait(i); }
      export default async () => {
        const out: unknown[] = [await wait(flip(1))];
        for await (const x of count(3)) out.push(x);
        try { await Promise.reject(new Error('no')); } catch (e) { out.push((e as Error).message); }
        let n = 0;
        const add = (x: number) => { n += x; return n; };
        for (const x of [1, 2]) { await null; add(x); }
        return [...out, n, await Promise.all([1, 2].map(async (x) => x * 2))];
      };`;
    const run = ({ default: f }: Record<string, unknown>) => (f as () => Promise<unknown>)();
    expect(await run(await compiled(module))).toEqual(await run(asItIs(module)));
  });

  test('classes as default exports, and markup', async () => {
    const { default: Made } = await compiled(
      "import { flip } from 'waymark';\nexport default class { x = flip(1); f = () => flip(0); }",
    );
    const made = new (Made as new () => { x: boolean; f(): boolean })();
    expect([made.x, made.f()]).toEqual([true, false]);
    const text =
      "import { flip } from 'waymark';\nconst h = (tag: string, p: object | null, ...c: unknown[]) => [tag, p, c];\n" +
      'export const Coin = ({ p }: { p: number }) => <b title={String(p + 1)}>{flip(p) ? <i /> : null}</b>;\n' +
      'export const twice = <T,>(x: T) => [x, x];\n';
    const { code } = await compileModule(text, { file: 'coin.tsx' });
    expect(code).toContain('<b title={String(p + 1)}>');
    const script = transformSync(code, { loader: 'tsx', jsxFactory: 'h', format: 'cjs' }).code;
    expect(script).toContain('h("b"');
  });
});

test('a word in a comment decides nothing, a class that may have accessors does', async () => {
  const text = (before: string): string => `import { flip, Infer } from 'waymark';
${before}
const model = () => { const o = {a: 1, b: 2}; return flip(0.5) ? o.a : o.b; };
export const result = () => Infer({method: 'forward', model});`;
  /** Whether both sides are read, for all executions. */
  const readsBoth = async (before: string): Promise<boolean> =>
    (await compileModule(text(before), { file: 'a.ts' })).code.includes('$C.choose(');
  expect(await readsBoth('// A class of models.')).toBe(true);
  expect(await readsBoth('class Model {} export { Model };')).toBe(false);
});
