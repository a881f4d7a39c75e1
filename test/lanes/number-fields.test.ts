/** Numbers have no fields, whatever stands for them: nodes, columns and recorded numbers have fields of their own. */
import { expect, test } from 'vitest';
import { Recorded } from '../../src/lanes/density/recorded.ts';
import { constant } from '../../src/tensor/leaves.ts';
import { faultsOf } from './every-way.ts';

const WAYS = ['forward', 'importance', 'SMC', 'MH', 'NUTS', 'Optimize of data', 'Optimize of choices'];

test.each([
  ...['value', 'shape', 'dtype', 'length', 'data', 'dims', 'own', 'group', 'isTruth', 'node', 'op', 'inputs', 'space'],
])('.%s', async (name) => {
  expect(await faultsOf({ body: `return k.${name} === undefined ? k : 9;` }, {}, WAYS)).toEqual([]);
  expect(await faultsOf({ body: `const o = k > 1 ? k : {${name}: 5}; return o.${name} ?? 7;` }, {}, WAYS)).toEqual([]);
});

test.each([
  'return k.constructor === Number ? 1 : 2;',
  'const o = {value: k, data: 1}; o.value += 2; o.value++; o.data = k; delete o.data; return o.value + (o.data ?? 10);',
  'const o = {value: 1}; for (o.value of [1, k]) { } [o.value] = [o.value + 1]; return o.value;',
  'const o = {value: k, group: {node: 2}}; const {value, group: {node}} = o; return value + node + o.group.node;',
])('%s', async (body) => {
  expect(await faultsOf({ body }, {}, WAYS)).toEqual([]);
});

test('the compiler knows the fields of nodes and of recorded numbers', async () => {
  const names = [...Object.keys(constant(Float64Array.of(1), [])), ...Object.keys(new Recorded(0, false))];
  for (const name of names) {
    expect(await faultsOf({ body: `return k.${name} === undefined ? 1 : 2;` }, {}, ['NUTS', 'MH'])).toEqual([]);
  }
});
