import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { quietRun } from '../program/quiet-run.ts';

async function messageOf(code: string, sequential: boolean): Promise<string> {
  const program = await loadProgram({ code: `${code}; Optimize(model, {steps: 2})` });
  try {
    program.run({ ...quietRun(1), engine: { sequential } });
  } catch (thrown) {
    return (thrown as Error).message;
  }
  throw new Error('the program should have failed');
}

const FAILING: Readonly<Record<string, readonly [code: string, message: string]>> = {
  'an error of the program': [
    `var model = function() {
      mapData({data: [1, 2, -1, 3, -2]}, function(y) {
        if (y < 0) { error('too small'); }
        observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), y); }); }`,
    'too small (at datum 2)',
  ],
  'a parameter of a distribution': [
    `var model = function() {
      mapData({data: [1, 2, -1, 3]}, function(s) {
        observe(Gaussian({mu: modelParam({name: 'm'}), sigma: s}), 1); }); }`,
    'Gaussian: sigma must be a finite number greater than 0. (at datum 2)',
  ],
  'an error in a pass within a pass': [
    `var model = function() {
      mapData({data: [[1, 2], [5], [3, 4, -1]]}, function(row) {
        mapData({data: row}, function(y) {
          if (y < 0) { error('too small'); }
          observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), y); }); }); }`,
    'too small (at datum 2 of datum 2)',
  ],
  'an error after a pass within a pass': [
    `var model = function() {
      mapData({data: [[1, 2], [5], [3, 4, -1]]}, function(row) {
        mapData({data: row}, function(y) { observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), y); });
        if (row.length === 1) { error('too short'); } }); }`,
    'too short (at datum 1)',
  ],
  'an error in a map within a pass': [
    `var model = function() {
      mapData({data: [1, -2, 3]}, function(y) {
        map(function(k) { if (k * y === -4) { error('too small'); } return flip(0.5); }, [0, 1, 2, 3, 4]);
        observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), y); }); }`,
    'too small (at datum 1)',
  ],
  'an index that lanes evaluate together': [
    `var model = function() {
      var w = modelParam({name: 'w', dims: [3, 1]});
      mapData({data: [0, 1, 2, 5]}, function(k) {
        factor(Math.log(T.get(T.softmax(T.add(w, k * 0.1)), k))); }); }`,
    'T.get needs an index from 0 to 2 for a tensor of dims [3], got 5. (at datum 3)',
  ],
  'an index into short rows of many lanes, which decides something': [
    `var data = map(function(i) { return i === 777 ? 5 : i % 3; }, _.range(1000));
    var model = function() {
      mapData({data: data}, function(k) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {
          guide() { return Gaussian({mu: param({name: 'm'}), sigma: 1}); }
        });
        var q = T.get(T.softmax(Vector([x, 1, 2])), k);
        observe(Gaussian({mu: q > 0.5 ? 1 : 0, sigma: 1}), 0); }); }`,
    'T.get needs an index from 0 to 2 for a tensor of dims [3], got 5. (at datum 777)',
  ],
  'what JavaScript throws': [
    `var model = function() {
      mapData({data: [{a: {b: 1}}, {}]}, function(d) {
        observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), d.a.b); }); }`,
    "Cannot read properties of undefined (reading 'b') (at datum 1)",
  ],
};

describe('errors name the datum', () => {
  test.each(Object.entries(FAILING))('%s', async (_name, [code, message]) => {
    expect(await messageOf(code, false)).toBe(message);
    expect(await messageOf(code, true)).toBe(message);
  });
});
