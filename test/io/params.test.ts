import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Params } from '../../src/guides/given-params.ts';
import {
  deserializeParams,
  getParams,
  getParamsId,
  loadParams,
  saveParams,
  serializeParams,
  setFreshParamsId,
  setParams,
  setParamsId,
} from '../../src/guides/params-api.ts';
import { decodeContainer, encodeContainer } from '../../src/io/container.ts';
import { startRun } from '../../src/runtime/machine.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { quietRun } from '../program/quiet-run.ts';

let folder = '';
const folders: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  folders.push(folder);
  startRun(Object.assign(quietRun(1), { folder }));
});

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});

const place = (name: string): string => join(folder, name);

const odd: Params = {
  '2$mf$Gaussian$mu': new Tensor([1], Float64Array.of(Math.PI)),
  'größe "x"\n': new Tensor([2, 1], Float64Array.of(-0, Number.MIN_VALUE)),
  special: new Tensor([3], Float64Array.of(Number.NaN, Infinity, -Infinity)),
  W: new Tensor([2, 3], Float64Array.of(1e300, 0.1, 1 / 3, -2, 5e-324, 7)),
  __proto__x: new Tensor([1], Float64Array.of(1)),
};

describe('a parameter file', () => {
  for (const name of ['p', 'p.waymark', 'p.json', 'p.JSON']) {
    test(`${name} gives back every bit`, () => {
      saveParams(odd, name);
      const back = loadParams(name);
      expect(back).toEqual(odd);
      expect(Object.is(back['größe "x"\n'].data[0], -0)).toBe(true);
      expect(Object.keys(back)).toEqual(Object.keys(odd));
      expect(readdirSync(folder)).toEqual([name]);
    });
  }

  test('can be empty', () => {
    for (const name of ['p', 'p.json']) {
      saveParams({}, name);
      expect(loadParams(name)).toEqual({});
    }
  });

  test('takes plain numbers for parameters without dims', () => {
    saveParams({ a: 3 }, 'p');
    expect(loadParams('p')).toEqual({ a: new Tensor([1], Float64Array.of(3)) });
  });

  test('in single precision is half as large, and seven digits good', () => {
    const data = Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i) * 10 ** (i % 20));
    saveParams({ a: new Tensor([1000], data) }, 'double');
    saveParams({ a: new Tensor([1000], data) }, 'single', { precision: 'float32' });
    expect(readFileSync(place('double')).length - readFileSync(place('single')).length).toBeGreaterThan(3900);
    expect(loadParams('single').a.data).toEqual(Float64Array.from(data, Math.fround));
    saveParams({ a: Infinity, b: Number.NaN }, 'odd', { precision: 'float32' });
    expect([loadParams('odd').a.data[0], loadParams('odd').b.data[0]]).toEqual([Infinity, Number.NaN]);
  });

  test('describes itself', () => {
    saveParams({ w: new Tensor([2, 1], Float64Array.of(1, 2)) }, 'p');
    const { kind, arrays } = decodeContainer(readFileSync(place('p')));
    expect({ kind, arrays }).toEqual({
      kind: 'parameters',
      arrays: [{ name: 'w', dims: [2, 1], data: Float64Array.of(1, 2) }],
    });
  });

  test('is replaced by a later one', () => {
    saveParams({ a: 1 }, 'p');
    saveParams({ b: 2 }, 'p');
    expect(Object.keys(loadParams('p'))).toEqual(['b']);
  });

  test('behind a link is replaced where it is', () => {
    mkdirSync(place('far'));
    saveParams({ a: 1 }, 'far/p');
    symlinkSync(place('far/p'), place('link'));
    saveParams({ a: 2 }, 'link');
    expect(loadParams('far/p').a.data[0]).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['far', 'link']);
  });
});

describe('a file that is no parameter file', () => {
  const bad: [string, string, string | Uint8Array, RegExp][] = [
    ['empty', 'p', '', /cannot use 'p': it does not begin as a Waymark file does/],
    ['text', 'p', 'mu,sigma\n1,2\n', /does not begin as a Waymark file does/],
    [
      'a checkpoint',
      'p',
      encodeContainer({ kind: 'checkpoint', meta: {}, arrays: [] }),
      /of kind 'parameters', and 'p' is of kind 'checkpoint'/,
    ],
    ['empty JSON', 'p.json', '', /'p.json' is not valid JSON: line 1, column 1: the file ends too early/],
    ['JSON cut short', 'p.json', '{"a":{"dims":[1],"data":[1', /the file ends too early/],
    ['a list', 'p.json', '[1, 2]', /'p.json' does not hold parameters in the form .*: it holds an array of length 2/],
    ['a table of numbers', 'p.json', '{"a": 3}', /'a' is 3/],
    ['too few numbers', 'p.json', '{"a": {"dims": [3], "data": [1, 2]}}', /'a' has dims \[3\] and 2 numbers/],
    ['negative dims', 'p.json', '{"a": {"dims": [-1, -2], "data": [1, 2]}}', /'a' is a tensor|'a' is an object/],
    ['null', 'p.json', '{"a": {"dims": [1], "data": [null]}}', /number 0 of 'a' is null \(WebPPL writes that for NaN/],
    ['strings', 'p.json', '{"a": {"dims": [1], "data": ["1"]}}', /number 0 of 'a' is the string "1"/],
    ['not text', 'p.json', Uint8Array.of(0xff, 0xfe, 0xff), /'p.json' is not text in UTF-8/],
  ];
  for (const [what, name, content, message] of bad) {
    test(`(${what}) is refused, and not overwritten`, () => {
      writeFileSync(place(name), content);
      const before = readFileSync(place(name));
      expect(() => loadParams(name)).toThrow(message);
      expect(() => saveParams({ a: 1 }, name)).toThrow(/It is not overwritten: give another name, or delete it\.$/);
      expect(readFileSync(place(name)).equals(before)).toBe(true);
    });
  }

  test('(any byte changed, any length cut) is refused', () => {
    saveParams(odd, 'p');
    const sound = readFileSync(place('p'));
    for (let i = 0; i < sound.length; i += 7) {
      const changed = Buffer.from(sound);
      changed[i] ^= 0x20;
      writeFileSync(place('p'), changed);
      expect(() => loadParams('p')).toThrow(/loadParams cannot use 'p': /);
      writeFileSync(place('p'), sound.subarray(0, i));
      expect(() => loadParams('p')).toThrow(/loadParams cannot use 'p': /);
    }
  });

  test('(a folder, or nothing at all) is an error', () => {
    mkdirSync(place('d'));
    expect(() => loadParams('d')).toThrow(/loadParams cannot read 'd': .* is a folder/);
    expect(() => saveParams({}, 'd')).toThrow(/saveParams cannot write 'd': .* is a folder/);
    expect(() => loadParams('none')).toThrow(
      /loadParams cannot read 'none': there is no file .* relative to the folder/,
    );
    expect(() => saveParams({}, 'no/p')).toThrow(/saveParams cannot write 'no\/p': there is no folder/);
    expect(existsSync(place('no'))).toBe(false);
  });

  test.skipIf(process.getuid?.() === 0)('(not permitted) is an error', () => {
    saveParams({ a: 1 }, 'p');
    chmodSync(place('p'), 0o444);
    expect(() => saveParams({ a: 2 }, 'p')).toThrow(/saveParams cannot write 'p': there is no permission to write/);
    chmodSync(place('p'), 0o000);
    expect(() => loadParams('p')).toThrow(/loadParams cannot read 'p': there is no permission to read/);
  });

  test('arguments are checked', () => {
    expect(() => saveParams({ a: 'x' }, 'p')).toThrow(/saveParams needs parameters by name.*'a' is the string "x"/);
    expect(() => saveParams({}, undefined as never)).toThrow('saveParams needs the name of a file, got undefined.');
    expect(() => saveParams({}, 'p', { presicion: 1 } as never)).toThrow(
      /no option 'presicion'.* Did you mean 'precision'/,
    );
    expect(() => saveParams({}, 'p', { precision: 'half' } as never)).toThrow(
      /'float64' or 'float32', got the string "half"/,
    );
    expect(() => loadParams('')).toThrow('loadParams needs the name of a file, got the string "".');
  });
});

describe('the parameters of the run', () => {
  test('are set and got as a whole', () => {
    expect(getParams()).toEqual({});
    setParams({ a: 1, b: new Tensor([2, 1], Float64Array.of(1, 2)) });
    setParams({ b: new Tensor([2, 1], Float64Array.of(3, 4)) });
    expect(getParams()).toEqual({ b: new Tensor([2, 1], Float64Array.of(3, 4)) });
  });

  test('what was got does not change with them', () => {
    setParams({ a: 1 });
    const got = getParams();
    got.a.data[0] = 7;
    expect(getParams().a.data[0]).toBe(1);
  });

  test('are in tables by name, of which one is in use', () => {
    const first = getParamsId();
    expect(first).toMatch(/^params-[0-9a-z]{8}$/);
    setParams({ a: 1 });
    setFreshParamsId();
    expect(getParamsId()).not.toBe(first);
    expect(getParams()).toEqual({});
    setParams({ b: 2 });
    setParamsId('mine');
    expect([getParamsId(), getParams()]).toEqual(['mine', {}]);
    setParamsId(first);
    expect(Object.keys(getParams())).toEqual(['a']);
    startRun(Object.assign(quietRun(1), { folder }));
    expect(getParams()).toEqual({});
    expect(getParamsId()).toBe(first);
    expect(() => setParamsId('')).toThrow(/setParamsId needs a name/);
  });

  test('to and from text, as WebPPL writes it', () => {
    const text = serializeParams({ mu: 0.5, w: new Tensor([2, 1], Float64Array.of(1, -2)) });
    expect(text).toBe('{"mu":{"dims":[1],"data":[0.5]},"w":{"dims":[2,1],"data":[1,-2]}}');
    expect(deserializeParams(text).w).toEqual(new Tensor([2, 1], Float64Array.of(1, -2)));
    expect(() => deserializeParams('{')).toThrow(/deserializeParams: .*not valid JSON/);
    expect(() => deserializeParams(3 as never)).toThrow(/needs the text that serializeParams made, got 3/);
  });
});
