/** Statements, operators and forms of syntax that look at a choice, run in every way, against plain JavaScript. */
import { describe, expect, test } from 'vitest';
import { faultsOf, type Row } from './every-way.ts';

const row = (body: string, before?: string): Row => ({ body, before });

const SWITCHES: Readonly<Record<string, Row>> = {
  'switch on a choice': row('switch (k) { case 0: return 5; case 1: return 7; default: return 9; }'),
  'switch (true)': row('switch (true) { case k > 2: return 5; case k > 1: return 7; default: return 9; }'),
  'switch (false)': row('switch (false) { case k > 2: return 5; case k > 3: return 7; default: return 9; }'),
  'cases that are choices': row('switch (2) { case k: return 5; case k + 1: return 7; default: return 9; }'),
  'cases and discriminant of choices': row(
    'switch (k * k) { case k: return 5; case k + 2: return 7; default: return 9; }',
  ),
  'fall through': row(
    'let t = 0; switch (k) { case 0: t += 1; case 1: t += 10; break; case 2: t += 100; default: t += 1000; } return t;',
  ),
  'default in the middle': row(
    'let t = 0; switch (k) { case 0: t += 1; break; default: t += 10; case 2: t += 100; } return t;',
  ),
  'default first': row(
    'let t = 0; switch (k) { default: t += 10; case 2: t += 100; break; case 1: t += 7; } return t;',
  ),
  'switch without default': row('let t = 3; switch (k) { case 1: t = 5; break; case 3: t = 8; } return t;'),
  'empty cases': row('let t = 3; switch (k) { case 1: case 3: t = 8; break; case 2: } return t;'),
  'switch with declarations': row(
    'switch (k) { case 1: { const a = 4; return a * k; } case 2: let b = 6; return b + k; } return -1;',
  ),
  'switch in a loop': row(
    'let t = 0; for (let i = 0; i < 4; i++) { switch (i) { case k: continue; case k + 1: break; default: t += i + 1; } t += 100; } return t;',
  ),
  'switch of text': row("switch (['a', 'b', 'c', 'd'][k]) { case 'a': return 1; case 'c': return 2; } return 3;"),
  'case order and effects': row(
    'let n = 0; const c = (x) => { n += 1; return x; }; switch (k) { case c(0): case c(2): n += 10; } return n;',
  ),
  'break inside if': row(
    'let t = 0; switch (k > 1) { case true: if (k === 2) break; t = 5; break; case false: t = 7; } return t;',
  ),
  'switch in a switch': row(
    'switch (k > 1) { case true: switch (k) { case 2: return 1; default: return 2; } case false: return 3; }',
  ),
  'NaN is no case': row(
    'const x = k > 1 ? NaN : k; switch (x) { case NaN: return 1; case 0: return 2; default: return 3; }',
  ),
};

const THROWS: Readonly<Record<string, Row>> = {
  'some throw': row("try { if (k > 1) throw new Error('x'); return 1; } catch (e) { return 2; }"),
  'some throw, effects': row(
    "let t = 0; try { t += 1; if (k > 1) throw 'x'; t += 10; } catch (e) { t += 100; } return t;",
  ),
  'what is thrown differs': row('try { if (k > 0) throw k; return 10; } catch (e) { return e * 2; }'),
  'an object is thrown': row('try { if (k > 0) throw {a: k}; return 10; } catch ({a}) { return a * 2; }'),
  'a TypeError of some': row(
    'const o = [undefined, {v: 1}, undefined, {v: 3}]; try { return o[k].v; } catch (e) { return -1; }',
  ),
  finally: row(
    "let t = 0; try { if (k > 1) throw 'x'; t += 10; } catch (e) { t += 100; } finally { t += 1; } return t;",
  ),
  'finally after return': row(
    'let t = 0; const g = () => { try { if (k > 1) return 5; t += 10; } finally { t += 1; } return 6; }; return g() + t;',
  ),
  'thrown in a function': row(
    "const g = (x) => { if (x > 1) throw new Error('a' + x); return x; }; try { return g(k) + 1; } catch (e) { return e.message === 'a2' ? 20 : 30; }",
  ),
  'thrown again': row(
    'try { try { if (k > 1) throw 1; return 0; } catch (e) { if (k > 2) throw e + 1; return e; } } catch (e) { return e * 10; }',
  ),
  'thrown in a loop': row(
    'let t = 0; for (let i = 0; i < 4; i++) { try { if (i === k) throw 1; t += 1; } catch (e) { t += 10; } } return t;',
  ),
  'thrown by all': row('try { throw k; } catch (e) { return e + 1; }'),
  'nothing is thrown': row('try { return k * 3; } catch (e) { return 0; }'),
  'a throw in one side of ?:': row(
    "const fail = () => { throw 'x'; }; try { return k > 1 ? fail() : 4; } catch (e) { return 6; }",
  ),
};

const ASSIGNMENTS: Readonly<Record<string, Row>> = {
  '||= on a variable': row('let v = k; v ||= 9; return v;'),
  '&&= on a variable': row('let v = k; v &&= 9; return v;'),
  '??= on a variable': row('let v = [undefined, 1, null, 3][k]; v ??= 9; return v;'),
  '||= of the parameter': row('k ||= 9; return k;'),
  '&&= of the parameter': row('k &&= 9; return k;'),
  '??= of the parameter': row('k ??= 9; return k;'),
  '||= of a comparison': row('let v = k > 1; v ||= k === 0; return v ? 1 : 2;'),
  '||= on a member': row('const o = {v: k}; o.v ||= 9; return o.v;'),
  '&&= on a member': row('const o = {v: k}; o.v &&= 9; return o.v;'),
  '??= on a member': row('const o = {v: k > 1 ? undefined : 4}; o.v ??= 9; return o.v;'),
  '||= on an element': row('const o = [k, 5]; o[0] ||= 9; return o[0] + o[1];'),
  '||= on a computed member': row("const o = {a: k, b: 0}; o[k > 1 ? 'a' : 'b'] ||= 9; return o.a * 10 + o.b;"),
  '||= does not evaluate': row(
    'let n = 0; const g = () => { n += 1; return 9; }; let v = k; v ||= g(); return v + 100 * n;',
  ),
  '&&= of a value': row('let v = k; const w = (v &&= 7); return v + 10 * w;'),
  '+= on a variable': row('let v = 1; v += k; v -= 2; v *= 3; v /= 2; v %= 5; v **= 2; return v;'),
  '+= on a member': row('const o = {v: 1}; o.v += k; o.v *= 3; return o.v;'),
  '+= on an element at a choice': row(
    'const o = [1, 2, 3, 4]; o[k] += 10; return o[0] + 2 * o[1] + 3 * o[2] + 4 * o[3];',
  ),
  '= at a choice': row('const o = [1, 2, 3, 4]; o[k] = 10; return o[0] + 2 * o[1] + 3 * o[2] + 4 * o[3];'),
  'bitwise assignment': row('let v = 5; v |= k; v &= 6; v ^= k; v <<= k; v >>= 1; v >>>= 0; return v;'),
  '++ and --': row('let v = k; const a = v++; const b = ++v; v--; return a + 10 * b + 100 * v;'),
  '++ of a truth value': row('let v = k > 1; const a = v++; return a + 10 * v;'),
  '++ on a member': row('const o = {v: k}; const a = o.v++; return a + 10 * o.v;'),
  'delete at a choice': row(
    "const o = {a: 1, b: 2, c: 3, d: 4}; delete o[['a', 'b', 'c', 'd'][k]]; return Object.keys(o).length + ('a' in o ? 10 : 0);",
  ),
  'delete on a side': row('const o = {a: 1, b: 2}; if (k > 1) { delete o.a; } return Object.keys(o).length;'),
  comma: row('let t = 0; const v = (t += k, t *= 2, t + 1); return v + t;'),
  'assignment as a value': row('let a; let b; a = b = k + 1; return a * 10 + b;'),
  'assignment in a condition': row('let m; if ((m = k - 1) > 0) return m; return 10 + m;'),
  'destructuring assignment': row('let a = 1, b = k; [a, b] = [b, a]; return a * 10 + b;'),
};

const CONDITIONS: Readonly<Record<string, Row>> = {
  '&& guards a read': row('const a = [{v: 4}, {v: 5}, {v: 6}]; return (k > 0 && a[k - 1].v) ? 1 : 2;'),
  '&& guards a read, valued': row(
    'const a = [{v: 4}, {v: 5}, {v: 6}]; const r = k > 0 && a[k - 1].v; return r === false ? -1 : r;',
  ),
  '|| guards a read': row('const a = [{v: 4}, {v: 5}, {v: 6}]; return (k === 0 || a[k - 1].v > 4) ? 1 : 2;'),
  '?: guards a read': row('const a = [{v: 4}, {v: 5}, {v: 6}]; return k > 0 ? a[k - 1].v : -1;'),
  '?: guards a nested read': row('const a = [{o: {v: 4}}, {o: {v: 5}}, {}]; return k < 2 ? a[k].o.v : -1;'),
  '?? guards': row('const a = [undefined, 4, null, 6]; return a[k] ?? 9;'),
  '?? of a comparison': row('const v = k > 1 ? null : k; return v ?? 9;'),
  'optional read': row('const a = [undefined, {v: 4}, null, {v: 6}]; return a[k]?.v ?? 9;'),
  'optional read of a conditional': row('const w = k > 1 ? {v: k} : undefined; return w?.v ?? 9;'),
  'optional element': row('const w = k > 1 ? [1, 2, 3, 4] : undefined; return w?.[k] ?? 9;'),
  'optional element at a choice': row('const w = [5, 6, 7, 8]; return w?.[k];'),
  'optional call': row('const g = k > 1 ? (x) => x * 2 : undefined; return g?.(k) ?? 9;'),
  'optional call of all': row('const g = (x) => x * 2; return g?.(k);'),
  'optional method': row('const w = k > 1 ? {m: (x) => x * 2} : null; return w?.m(k) ?? 9;'),
  'optional method of all': row('const w = {m: (x) => x * 2}; return w?.m(k) + w.m?.(k) + (w.n?.(k) ?? 100);'),
  'optional method of the host': row(
    "const w = ['a', 'bb', 'ccc', 'dddd'][k]; return w?.slice(1).length + w?.indexOf('b');",
  ),
  'a chain of options': row('const w = [{a: {b: {c: 4}}}, {a: {}}, {}, undefined][k]; return w?.a?.b?.c ?? -1;'),
  'a chain with an index': row(
    'const w = {rows: [[1, 2], [3, 4], [5, 6], [7, 8]]}; return w?.rows[k][0] + w?.rows?.[k]?.[1];',
  ),
  'truth of numbers': row('return (k && 5) + (k || 7) * 10;'),
  'truth of NaN': row('const x = k > 1 ? NaN : k; return x ? 1 : 2;'),
  'truth of text': row("const s = ['', 'a', '0', 'b'][k]; return (s ? 1 : 2) + (s && 'q' ? 10 : 20);"),
  not: row('return (!k ? 1 : 2) + (!!k ? 10 : 20);'),
  'nested ?:': row('return k > 2 ? 1 : k > 1 ? 2 : k > 0 ? 3 : 4;'),
  '?: of functions': row('const f1 = (x) => x + 1; const f2 = (x) => x * 2; return (k > 1 ? f1 : f2)(k);'),
  '?: of lists': row('const xs = k > 1 ? [1, 2, 3] : [k]; return xs.length + xs[0];'),
  'a getter on the side taken': row(
    'let n = 0; const o = {get v() { n += 1; return 5; }}; const r = k > 1 ? o.v : 7; return r + 100 * n;',
  ),
  'a getter in &&': row(
    'let n = 0; const o = {get v() { n += 1; return 5; }}; const r = k > 1 && o.v; return (r ? 1 : 2) + 100 * n;',
  ),
  'a getter that throws': row("const o = {get v() { throw new Error('no'); }}; return k > 5 ? o.v : 7;"),
  'a getter that depends': row('const o = {get v() { return k * 2; }}; return o.v + 1;'),
  'a setter': row('let seen = 0; const o = {set v(x) { seen = x; }}; o.v = k; return seen;'),
  'if with effects': row('let t = 1; if (k > 1) { t = 5; } else if (k === 0) { t += 3; } return t;'),
  'if that returns': row('if (k > 2) return 1; if (k > 1) { return 2; } let t = 3; if (k > 0) t = 4; return t;'),
  'dangling else': row('let t = 0; if (k > 0) if (k > 1) t = 1; else t = 2; return t;'),
  'early return in a block': row('{ if (k > 1) { return 1; } } { const a = k; return a + 10; }'),
};

const LOOPS: Readonly<Record<string, Row>> = {
  while: row('let i = 0; let t = 0; while (i < k) { t += i + 1; i++; } return t;'),
  'do while': row('let i = 0; let t = 0; do { t += i + 1; i++; } while (i < k); return t;'),
  for: row('let t = 0; for (let i = 0; i < k; i++) t += i + 1; return t;'),
  'for with a bound that is a choice, downwards': row('let t = 0; for (let i = k; i > 0; i--) { t += i; } return t;'),
  'for by a step of a choice': row('let t = 0; for (let i = 0; i < 9; i += k + 1) { t += i; } return t;'),
  break: row('let t = 0; for (let i = 0; i < 5; i++) { if (i === k) break; t += 1; } return t;'),
  continue: row('let t = 0; for (let i = 0; i < 5; i++) { if (i === k) continue; t += i; } return t;'),
  'labelled break': row(
    'let t = 0; outer: for (let i = 0; i < 4; i++) { for (let j = 0; j < 4; j++) { if (j === k) continue outer; if (i + j === 4) break outer; t += 1; } } return t;',
  ),
  'labelled block': row('let t = 0; here: { t = 1; if (k > 1) break here; t = 2; } return t;'),
  'return from a loop': row('for (let i = 0; i < 5; i++) { if (i * i >= k) return i; } return -1;'),
  'for of a list': row('let t = 0; for (const x of [k, k + 1, 5]) t = t * 3 + x; return t;'),
  'for of a differing list': row(
    'const xs = [[1], [2, 3], [4, 5, 6], []][k]; let t = 0; for (const x of xs) t = t * 3 + x; return t;',
  ),
  'for of text': row("let t = 0; for (const c of ['ab', 'c', '', 'def'][k]) t += c === 'c' ? 10 : 1; return t;"),
  'for of a Map': row(
    "let t = 0; for (const [key, v] of new Map([['a', k], ['b', 2]])) t += key === 'a' ? v : 10 * v; return t;",
  ),
  'for of a Set': row('let t = 0; for (const v of new Set([1, 2, 3])) { if (v === k) continue; t += v; } return t;'),
  'for of a Set of choices': row('let t = 0; for (const v of new Set([k, 1])) t += v + 1; return t;'),
  'for of entries': row('let t = 0; for (const [i, x] of [k, 5].entries()) t += (i + 1) * x; return t;'),
  'for of Object.entries': row(
    "let t = 0; for (const [key, x] of Object.entries({a: k, b: 3})) t += key === 'a' ? x : 10 * x; return t;",
  ),
  'for in': row('let t = 0; const o = {a: k, b: 2}; for (const key in o) t = t * 10 + o[key]; return t;'),
  'for in of a differing object': row(
    'const o = [{a: 1}, {b: 2, c: 3}, {}, {d: 4}][k]; let t = 0; for (const key in o) t = t * 10 + o[key]; return t;',
  ),
  'for in of a list': row('let t = 0; for (const i in [k, k, k]) t += Number(i) * k; return t;'),
  'for over a list of differing length': row(
    'const xs = [[1], [2, 3], [4, 5, 6], []][k]; let t = 0; for (let i = 0; i < xs.length; i++) t += xs[i]; return t;',
  ),
  'functions made in a loop': row(
    'const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i + k); return fs[0]() + 10 * fs[1]() + 100 * fs[2]();',
    '',
  ),
};

const ITERATIONS: Readonly<Record<string, Row>> = {
  'spread of a list': row('return Math.max(...[k, 2]) + [...[k], 1].length;'),
  'spread of a differing list': row(
    'const xs = [[1], [2, 3], [4, 5, 6], []][k]; const ys = [0, ...xs, 9]; return ys.length * 100 + ys[1];',
  ),
  'spread of text': row("return [...['ab', 'c', '', 'def'][k]].length;"),
  'spread of a Set': row('return [...new Set([1, 1, 2])].length + k;'),
  'spread of a Set of choices': row('return [...new Set([k, 1, 1])].length;'),
  'spread of a Map': row('return [...new Map([[1, k]])][0][1] + [...new Map([[k, 1], [1, 2]]).keys()].length;'),
  'spread of a condition in a list': row('return [0, ...(k > 1 ? [k, k] : [])].length;'),
  'spread of a condition in an object': row('const o = {a: 1, ...(k > 1 && {b: k})}; return o.a + (o.b ?? 10);'),
  'spread of ?: in an object': row(
    'const o = {a: 1, ...(k > 1 ? {b: k} : {})}; return o.a + (o.b ?? 10) + 100 * Object.keys(o).length;',
  ),
  'spread of a choice in an object': row('return Object.keys({a: 1, ...k}).length;'),
  'spread of a differing object': row(
    'const o = {z: 0, ...[{a: 1}, {b: 2}, {a: 5}, {}][k]}; return Object.keys(o).length * 10 + (o.a ?? 7);',
  ),
  'spread of text in an object': row("return Object.keys({...['a', 'bb', '', 'ccc'][k]}).length;"),
  'spread in a call': row(
    'const g = (...xs) => xs.length * 10 + (xs[0] ?? 5); return g(...[[1], [2, 3], [4, 5, 6], []][k]);',
  ),
  'spread in a call of the host': row('return Math.max(0, ...[[1], [2, 3], [4, 5, 6], []][k]);'),
  'rest parameters': row('const g = (a, ...b) => a + b[0] * 10; return g(k, k + 1, k + 2);'),
  'custom iterable': row(
    'const it = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({done: i >= 3, value: i++ * k})}; }}; return [...it].length * 100 + [...it][2];',
  ),
  'custom iterable of differing length': row(
    'const it = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({done: i >= k, value: i++})}; }}; return [...it].length;',
  ),
  'custom iterable in for of': row(
    'const it = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({done: i >= k, value: i++ + 1})}; }}; let t = 0; for (const x of it) t += x; return t;',
  ),
  'custom iterable destructured': row(
    'const it = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({done: i >= k, value: i++ + 1})}; }}; const [a = 7, b = 8] = it; return a * 10 + b;',
  ),
  'a custom iterable or a list': row(
    'const it = {[Symbol.iterator]: () => { let i = 0; return {next: () => ({done: i >= 2, value: i++})}; }}; const w = k > 1 ? it : [4]; return [...w].length;',
  ),
  'destructuring a list': row(
    'const [a, , b = 7, ...c] = [k, 1, [undefined, 2][k % 2], 3, 4]; return a + 10 * b + 100 * c.length;',
  ),
  'destructuring a differing list': row(
    'const [a = 7, ...b] = [[1], [2, 3], [4, 5, 6], []][k]; return a * 10 + b.length;',
  ),
  'destructuring text': row(
    "const [a, b = 'z'] = ['ab', 'c', 'dz', 'ef'][k]; return (a === 'c' ? 1 : 2) + (b === 'z' ? 10 : 20);",
  ),
  'destructuring an object': row(
    'const {a, b = 7, ...rest} = [{a: 1}, {a: 2, b: 3}, {a: 4, c: 5}, {a: 6, b: undefined, d: 1}][k]; return a + 10 * b + 100 * Object.keys(rest).length;',
  ),
  'destructuring with a computed key': row("const {[k > 1 ? 'a' : 'b']: v} = {a: k, b: 10}; return v;"),
  'destructuring a parameter': row(
    'const g = ({a, b = 3}, [c = 4]) => a + 10 * b + 100 * c; return g({a: k, b: k > 1 ? k : undefined}, k > 2 ? [1] : []);',
  ),
  'default parameter': row('const g = (a = 9) => a; return g(k > 1 ? undefined : k);'),
  'default parameter that calls': row('const d = () => 9; const g = (a = d()) => a; return g(k > 1 ? undefined : k);'),
  'default of a pattern that counts': row(
    'let n = 0; const d = () => { n += 1; return 9; }; const {a = d()} = {a: k > 1 ? undefined : k}; return a + 100 * n;',
  ),
  'computed key': row("const o = {['a' + k]: 5, b: 1}; return (o.a2 ?? 7) + Object.keys(o).length;"),
  'computed numeric key': row('const o = {[k]: 5, 9: 1}; return (o[2] ?? 7) + Object.keys(o).length;'),
  'computed method': row("const o = {['m' + k]() { return k; }}; return o['m' + k]();"),
  'Array.from': row(
    'return Array.from({length: k}).length + Array.from([k, 1])[0] + Array.from({length: 3}, (_, i) => i * k)[2];',
  ),
  arguments: row('const g = function() { return arguments.length * 10 + arguments[0]; }; return g(k, 1);'),
};

const OPERATORS: Readonly<Record<string, Row>> = {
  'in by a choice': row('return (k in [5, 6]) ? 1 : 2;'),
  'in by text': row("return (['a', 'b', 'c', 'd'][k] in {a: 1, c: 2}) ? 1 : 2;"),
  'in of a differing object': row("return ('a' in [{a: 1}, {b: 2}, {a: undefined}, {}][k]) ? 1 : 2;"),
  'in of a conditional object': row("const o = k > 1 ? {a: 1} : {b: 1}; return ('a' in o) ? 1 : 2;"),
  instanceof: row('const w = k > 1 ? [k] : {v: k}; return (w instanceof Array) ? 1 : 2;'),
  'instanceof of a number': row('return (k instanceof Object) ? 1 : 2;'),
  'instanceof of errors': row(
    "const w = k > 1 ? new TypeError('a') : new Error('b'); return (w instanceof TypeError) ? 1 : 2;",
  ),
  typeof: row(
    "const w = [1, 'a', undefined, true][k]; return typeof w === 'number' ? 1 : typeof w === 'undefined' ? 2 : 3;",
  ),
  'typeof of a conditional': row("const w = k > 1 ? k : 'a'; return typeof w === 'number' ? 1 : 2;"),
  'typeof of a choice': row("return (typeof k === 'number' ? 1 : 2) + (typeof (k > 1) === 'boolean' ? 10 : 20);"),
  void: row('return (void k === undefined) ? 1 : 2;'),
  'unary plus': row("return +k + +(k > 1) + +['1', '2', '3', '4'][k];"),
  'bitwise not': row('return ~k + ~~(k / 2);'),
  bitwise: row('return (k | 4) + (k & 1) * 10 + (k ^ 3) * 100 + (1 << k) * 1000 + (8 >> k) + (-8 >>> 28 + k);'),
  comparison: row('return (k < 2 ? 1 : 0) + (k <= 2 ? 10 : 0) + (k > 2 ? 100 : 0) + (k >= 2 ? 1000 : 0);'),
  'comparison of text': row("const s = ['a', 'b', 'c', 'd'][k]; return (s < 'c' ? 1 : 2) + (s === 'c' ? 10 : 20);"),
  'loose equality': row("return (k == '2' ? 1 : 2) + (k == true ? 10 : 20) + (k == null ? 100 : 200);"),
  'equality of kinds': row(
    "return (k === '2' ? 1 : 2) + (k === true ? 10 : 20) + (k !== undefined ? 100 : 200) + (k === null ? 1000 : 0);",
  ),
  'text of a choice': row("return ('a' + k).length + `${k}${k > 1}`.length + String(k).length;"),
  'template with text': row("return `${['', 'a', 'bb', 'ccc'][k]}-${k}`.length;"),
  'tagged template': row('const tag = (s, ...v) => s.length * 10 + v[0] + v[1]; return tag`a${k}b${k + 1}c`;'),
  'tagged template of the host': row("return String.raw`a${k > 1 ? 'bcd' : 'e'}`.length;"),
  'exponent and remainder': row('return k ** 2 + (7 % (k + 1)) + (-k % 2);'),
  'string plus number': row("return +('1' + k) + +(k + '1');"),
  'Infinity and NaN': row('return (1 / k === Infinity ? 1 : 2) + (Number.isNaN(0 / k) ? 10 : 20);'),
  'immediately called': row('return (function(a) { return a + 1; })(k) + ((b) => b * 2)(k);'),
  recursion: row('const g = (n) => n <= 0 ? 0 : n + g(n - 1); return g(k);'),
  'mutual recursion': row(
    'const even = (n) => n === 0 ? true : odd(n - 1); const odd = (n) => n === 0 ? false : even(n - 1); return even(k) ? 1 : 2;',
  ),
  'a closure that counts': row('let n = 0; const up = () => { n += k; return n; }; up(); up(); return n;'),
  'a method of an object': row('const o = {v: k, get: (x) => x + k}; return o.get(1) + o.v;'),
  'an object that is changed': row(
    'const o = {v: 0}; for (let i = 0; i < 3; i++) { if (i < k) o.v += i + 1; } return o.v;',
  ),
  'a list that is filled': row('const xs = []; for (let i = 0; i < k; i++) xs.push(i); return xs.length;'),
  'a list that is filled on a side': row(
    'const xs = [1]; if (k > 1) xs.push(k); return xs.length + xs[xs.length - 1];',
  ),
  'new of a date': row('return new Date(k * 1000).getTime();'),
  'regular expression': row("return /^[bc]/.test(['a', 'b', 'c', 'd'][k]) ? 1 : 2;"),
  'a label of an object': row("const t = {a: 1, b: 2, c: 3, d: 4}; return t[['a', 'b', 'c', 'd'][k]] + t['a'];"),
};

const KINDS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  switch: SWITCHES,
  'throw and catch': THROWS,
  assignment: ASSIGNMENTS,
  conditions: CONDITIONS,
  loops: LOOPS,
  iteration: ITERATIONS,
  operators: OPERATORS,
};

describe.each(Object.keys(KINDS))('%s', (kind) => {
  test.each(Object.keys(KINDS[kind]))('%s', async (name) => {
    expect(await faultsOf(KINDS[kind][name])).toEqual([]);
  });
});
