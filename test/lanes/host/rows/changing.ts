/**
 * Objects of JavaScript that remember or change something, functions inside of what host code is given, lists with empty places, and
 * functions of lodash that change a list.
 */
export const CHANGING: readonly string[] = [
  // Dates, regular expressions, typed arrays, iterators.
  // One that a choice picks among those that were made here, known by its place too.
  ...[
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; p.v = 9; return q.map(t => t.v);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; p.v += 3; p.v++; return q.map(t => t.v);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; delete p.v; return q.map(t => Object.keys(t).length);',
    'const q = [{v: {t: 0}}, {v: {t: 1}}, {v: {t: 2}}]; const p = q[k]; p.v.t = 7; return q.map(t => t.v.t);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; Object.assign(q[k], {v: 4, s: 1}); return q.map(t => Object.keys(t).length + t.v);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; _.assign(p, {v: b ? 4 : 5}); return q.map(t => t.v);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; const bump = t => { t.v *= 5; }; bump(p); return q.map(t => t.v);',
    'const q = [{v: 0}, {v: 1}, {v: 2}]; const p = q[k]; q.find(t => t === p).v = 12; return q.map(t => t.v);',
    'const q = [[1, 2], [3, 4], [5, 6]]; const p = q[k]; p[1] = 8; p.length = b ? 1 : 2; return q.map(t => t.join());',
    'const q = [[1, 2], [3, 4], [5, 6]]; const p = q[k]; p.sort((t, r) => r - t); return q.map(t => t.join());',
    'const q = [[1, 2], [3, 4], [5, 6]]; const p = q[k]; p.reverse(); p.push(7); return q.map(t => t.join());',
    'const q = [[1, 2], [3, 4], [5, 6]]; q[k].splice(0, 1); q[k].fill(9); return q.map(t => t.join());',
  ],
  ...[
    'const q = new Date(0); q.setUTCDate(k + 2); return q.getUTCDate();',
    'const q = new Date(0); if (b) { q.setUTCHours(5); } return q.getUTCHours();',
    'const q = new Date(0); q.setMilliseconds(k); return q.getTime();',
    'const q = /a/g; q.test(s); return q.lastIndex;',
    'const q = /b/y; if (b) { q.test("bb"); } return q.test("bb");',
    'const q = /a/g; let n = 0; while (q.exec("aXaYa".slice(k)) !== null) { n++; } return n;',
    'const q = new DataView(new ArrayBuffer(8)); q.setInt8(k, 7); return q.getInt8(1);',
    'const q = new Uint8Array(4); q.set([k, 1], b ? 1 : 2); return Array.from(q);',
    'const q = new Uint8Array([3, 1, 2]); q[0] = k; q[1] += 2; return q.join();',
    'const q = [1, 2, 3][Symbol.iterator](); if (b) { q.next(); } return q.next().value + k;',
    'const q = new URLSearchParams(); q.append("a", k); return q.toString();',
    'const q = new WeakMap(); q.set(A, x * x); q.set(w, k); return q.get(A);',
    'const q = new WeakMap([[A, x]]); return (q.get(w) ?? k) * x;',
    'const q = new WeakMap(); q.set(A, 1); q.delete(w); return q.has(A);',
  ],
  // Functions in lists and objects, which host code calls or compares.
  ...[
    'JSON.stringify({toJSON: () => k})',
    'JSON.stringify([{p: {toJSON: () => ({q: k})}}])',
    '_.cond([[() => b, () => k], [() => true, () => 5]])()',
    '_.overEvery([() => b, () => k > 0])()',
    '_.overSome([t => t > k, () => b])(1)',
    '_.conformsTo(A, {n: t => t > k})',
    '_.invokeMap([{p: () => k}, {p: () => 2}], "p")',
    'remove(h, [f, g]).length',
    '_.without([f, g], h).length',
    '_.difference([f, g], [h]).length',
    '_.uniq([f, h, g]).length',
    '_.pull([f, g], h).length',
    '_.constant(h)() === f',
    '_.defaultTo(b ? undefined : f, g) === f',
    '_.concat([1], h)[1] === g',
  ],
  // Lists and objects that lodash changes.
  ...[
    'const q = [1, 2, 3]; _.pull(q, k); return q;',
    'const q = [x, 1, k]; _.pull(q, 1); return q.length;',
    'const q = [w, C, A]; _.pull(q, w); return q.length;',
    'const q = [w, 3]; _.remove(q, t => t === A); return q.length;',
    'const q = [3, 1, 2]; _.pullAt(q, [k]); return q;',
    'const q = {a: {b: 1}}; _.update(q, "a.b", t => t + x); return q.a.b * x;',
    'const q = {p: {s: x}}; _.merge(q, {p: {t: k}}); return q.p.s * x + q.p.t;',
  ],
  // Empty places.
  ...[
    '[1, , 3].filter(() => true).length + k',
    '[1, , 3].filter(t => t !== k).length',
    '[, k].indexOf(undefined)',
    '[, k].some(t => t === undefined)',
    '[, k].every(t => t !== undefined)',
    '0 in [, k].toSorted()',
    '0 in [, k].map(t => t)',
    'Object.keys([, k, , 1]).length',
    '[, 1, k].reduce((a, c) => a + c)',
  ],
  // Copies, and whole numbers of any size.
  ...[
    'structuredClone([x])[0] * x',
    'structuredClone({p: k, q: {r: x}}).q.r * x',
    'const q = Object.create({a: x}); return q.a * x;',
    'Number(BigInt(k) ** 2n) * x',
    'Number([1n, 2n, 3n][k]) * x',
    'BigInt(k) < x',
    '[1n, 2n, 3n][k] * 2n === 4n',
  ],
];
