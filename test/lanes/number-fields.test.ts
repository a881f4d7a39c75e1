/** Numbers have no fields, whatever stands for them: nodes, columns and recorded numbers have fields of their own. */
import lodash from 'lodash';
import { expect, test } from 'vitest';
import '../../src/lifting/tensor-members.ts';
import { Column } from '../../src/lanes/columns/column.ts';
import { Recorded } from '../../src/lanes/density/recorded.ts';
import { constant } from '../../src/tensor/leaves.ts';
import { Node } from '../../src/tensor/node.ts';
import { faultsOf } from './every-way.ts';

const WAYS = ['forward', 'importance', 'SMC', 'MH', 'NUTS', 'Optimize of data', 'Optimize of choices'];

/** Names that nodes, columns and recorded numbers have something under. */
const NAMES = new Set([
  ...Object.keys(constant(Float64Array.of(1), [])),
  ...Object.keys(new Recorded(0, false)),
  ...['own', 'group', 'finite', 'below', 'belowNumbers'],
  ...[Node, Recorded, Column].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
]);

test('none of the names of the engine', async () => {
  const names = [...NAMES];
  const body = `return ${names.map((name) => `(k.${name} === undefined ? 1 : 0)`).join(' + ')};`;
  expect(await faultsOf({ body }, {}, WAYS)).toEqual([]);
  const object = names.map((name) => `${name}: 5`).join(', ');
  const fields = names.map((name) => `(o.${name} === undefined ? 1 : o.${name} === 5 ? 100 : 0)`).join(' + ');
  expect(await faultsOf({ body: `const o = k > 1 ? k : {${object}}; return ${fields};` }, {}, WAYS)).toEqual([]);
});

test.each([
  'return k.constructor === Number ? 1 : 2;',
  'const o = {value: k, data: 1}; o.value += 2; o.value++; o.data = k; delete o.data; return o.value + (o.data ?? 10);',
  'const o = {value: 1}; for (o.value of [1, k]) { } [o.value] = [o.value + 1]; return o.value;',
  'const o = {value: k, group: {node: 2}}; const {value, group: {node}} = o; return value + node + o.group.node;',
])('%s', async (body) => {
  expect(await faultsOf({ body }, {}, WAYS)).toEqual([]);
});

test.each([
  ['between brackets', "return k['value'] ?? k[`shape`] ?? 7;"],
  [
    'a name in a variable',
    "let s = 0; for (const n of ['value', 'own', 'shape', 'toArray', 'toFixed']) s += k[n] ? 10 : 1; return s;",
  ],
  [
    'names that differ',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's own
    "return (k[k > 1 ? 'value' : 'shape'] ?? 3) + (k[`val${k > 1 ? 'ue' : 'ues'}`] ?? 4) + (k[0] ?? 5);",
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's own
  ['names of an object that differ', 'const o = {a0: 5, a1: 6, a2: k, a3: 8}; return o[`a${k}`];'],
  ['of a truth value', "return ((k > 1)['value'] ?? 3) + ((k > 1).constructor === Boolean ? 1 : 2);"],
  ['after ?.', 'return (k?.value ?? 7) + (k?.shape?.length ?? 8) + k?.toFixed?.(1).length + (k.toArray?.() ?? 9);'],
  [
    'of what is sometimes a number',
    "const o = k > 1 ? k : {value: 5, toArray: 1}; return (o['value'] ?? 7) + (o.toArray ?? 9);",
  ],
  ['methods', "return (typeof k.toArray === 'undefined' ? 1 : 2) + (typeof k.toFixed === 'function' ? k : 9);"],
  ['methods of numbers', 'return k.toFixed === Number.prototype.toFixed ? k.toFixed.call(k, 1).length : 9;'],
])('%s', async (_what, body) => {
  expect(await faultsOf({ body }, {}, WAYS)).toEqual([]);
});

test.each([
  [
    'a declaration',
    'const {value, toFixed, length = 2} = k; return value === undefined ? toFixed.call(k, 1).length + length : 9;',
  ],
  ['of what is sometimes a number', 'const {value = 7} = k > 1 ? k : {value: 5}; return value;'],
  [
    'inside of others',
    'const {a: {value = 3}, b: [{shape = 4}, c], ...rest} = {a: k, b: [k, k], d: 5}; return value + shape + c + rest.d;',
  ],
  ['what is left', 'const {value = 5, ...rest} = k; return value + Object.keys(rest).length;'],
  ['a computed name', "const n = 'value'; const {[n]: v = 4, ['own']: o = 5} = k; return v + o;"],
  [
    'inside of a computed name',
    "const n = 'a'; const {[n]: {value = 3}, ['b' + 1]: [{shape = 4}], a, ...rest} = {a: k, b1: [k], c: k}; return value + shape + a + rest.c;",
  ],
  [
    'inside of a symbol, and of one field twice',
    'const s = Symbol(); const {[s]: {value = 3}, b: {own = 2}, b} = {[s]: k, b: k}; return value + own + b;',
  ],
  [
    'inside of what is left of a list',
    'const [a, ...[{value = 3}, b, ...[{shape = 4}, ...c]]] = [k, k, k, k, k, 2]; return value + a + b + shape + c.length + c[0];',
  ],
  [
    'inside of what is left of a list, by name',
    'const i = 1; const [a, ...{0: {value = 3}, 1: b, length}] = [k, k, k]; const [...{[i]: {own = 5}}] = [k, k]; return value + a + b + length + own;',
  ],
  ['what is left in parameters', 'const f = (...[{value = 3}, {own = 4}]) => value + own; return f(k, k) + k;'],
  ['an assignment', 'let a; const b = ({value: a} = k); return a === undefined ? b : 9;'],
  [
    'parameters',
    'const f = (a, {value = a} = k, [b, {data = b}] = [k, k]) => value + data; return f(k, k) + f.length * 10 + f(k);',
  ],
  ['a callback', 'return [k, k].map(({value}) => value ?? 3)[0];'],
  ['a loop', 'let s = 0; for (const {value} of [k, k]) s += value === undefined ? 1 : 10; return s;'],
  [
    'a loop that hides the name',
    'let s = 0; for (const {value} of [k, k]) { const value = 3; s += value; } for (const x of k > 1 ? [k] : [1, 2]) { if (s > 8) break; const x = 2; s += x; } return s;',
  ],
  ['what is thrown', 'try { throw k; } catch ({value}) { return value ?? 3; }'],
  [
    'lists and text',
    "const {length, 0: a, ...rest} = [k, 2, 3]; const {length: n} = 'abc'; return length + a + rest[1] + n;",
  ],
  ['something frozen', 'const {a: {value = k}, b} = Object.freeze({a: Object.freeze({}), b: k}); return value + b;'],
])('a pattern: %s', async (_what, body) => {
  expect(await faultsOf({ body }, {}, WAYS)).toEqual([]);
});

test.each([
  'return Object.keys(k).length + Object.values(k).length + Object.entries(k).length;',
  'return Object.getOwnPropertyNames(k).length + Object.keys(k > 1).length;',
  "return ('value' in Object(k) ? 9 : k) + (Object.hasOwn(k, 'value') ? 9 : 1);",
  'let s = 0; for (const f in k) s++; return s + Object.keys({...k}).length;',
  'return Object.keys(Object.assign({}, k)).length;',
  'const o = Object.assign({a: 1}, k, {b: k}); return Object.keys(o).length + o.b;',
  'return Object.keys(k > 1 ? k : {a: 1, b: 2}).length;',
  'return (Object.isFrozen(k) ? 1 : 2) + Object.freeze(k);',
  'return _.keys(k).length + _.values(k).length + _.size(k) + Object.keys(_.pick(k, ["value"])).length;',
  'return Object.keys(_.assign({}, k)).length + Object.keys(_.merge({}, k)).length + Object.keys(_.defaults({}, k)).length;',
  'return _.get(k, "value", 5) + (_.property("value")(k) ?? 3) + (_.map([k, k], "value")[0] ?? 4) + _.map([{a: k}], "a")[0];',
  'return _.map([{a: k}, {a: 2}], _.property("a"))[0] + _.property(["b", "c"])({b: {c: k}});',
])('%s', async (body) => {
  const library = body.includes('_.') ? { library: { _: lodash } } : {};
  expect(await faultsOf({ body, ...library }, {}, WAYS)).toEqual([]);
});

test.each([
  ["const {length, dims: [n]} = t; return length + n + t['length'];", 'return 6;'],
  ['const {data: [a, b]} = t; return a * b;', 'return (1 + k) * (2 + k);'],
  ["const n = 'length'; return t[n] + t['dims'][0];", 'return 4;'],
])('a tensor has its own: %s', async (body, truth) => {
  const row = { body: `const t = T.add(Vector([1, 2]), k); ${body}`, truth };
  expect(await faultsOf(row, {}, WAYS)).toEqual([]);
});
