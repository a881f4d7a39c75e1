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
