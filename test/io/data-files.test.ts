import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NoFiles } from '../../src/host/no-files.ts';
import { unpacked } from '../../src/host/unpacking.ts';
import { loadData } from '../../src/io/load-data.ts';
import { paramsFile, readParams } from '../../src/io/params-file.ts';
import { loadQMRGraph } from '../../src/io/qmr-graph.ts';
import { textOf, whyNot } from '../../src/io/read-file.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { recordedRun } from '../library/run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-data-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  recordedRun(1, folder);
});

function load(name: string, contents: string | Uint8Array): unknown {
  writeFileSync(join(folder, name), contents);
  return loadData(name);
}

describe('JSON', () => {
  test('gives its value', () => {
    expect(load('a.json', '{"x": [1, null, "é"]}')).toEqual({ x: [1, null, 'é'] });
    expect(load('b.json', '\ufeff[1]')).toEqual([1]);
    expect(load('c.txt', ' [1, 2]')).toEqual([1, 2]);
    expect(load('d.json.gz', gzipSync('[3]'))).toEqual([3]);
  });

  test('makes tensors of {dims, data} where the sizes agree', () => {
    expect(load('a.json', '[{"dims": [2, 1], "data": [1, 2]}]')).toEqual([new Tensor([2, 1], Float64Array.of(1, 2))]);
    expect(load('a.json', '{"dims": [3], "data": [1, 2]}')).toEqual({ dims: [3], data: [1, 2] });
  });

  test.each([
    ['{"a": 1,\n "b": }', 'line 2, column 7: "}" is not expected here'],
    ['[1, 2', 'line 1, column 6: the file ends too early'],
    ['[1 2]', 'line 1, column 4: "2" is not expected here'],
    ['[1, 2] 3', 'line 1, column 8: "3" is not expected here'],
    ['{a: 1}', 'line 1, column 2: "a" is not expected here'],
    ['[01]', 'line 1, column 3: "1" is not expected here'],
    ['["a\nb"]', 'line 1, column 2: "\\"" is not expected here'],
    ['', 'line 1, column 1: the file ends too early'],
    ['[1,]', 'line 1, column 4: "]" is not expected here'],
    ['{"a" 1}', 'line 1, column 6: "1" is not expected here'],
  ])('%j is refused at its place', (text, place) => {
    expect(() => load('bad.json', text)).toThrow(`loadData: 'bad.json' is not valid JSON: ${place}.`);
  });
});

describe('CSV', () => {
  test('makes an object of each line, with types by column', () => {
    expect(load('a.csv', 'name,age,member\nann,30,true\nbob,NA,FALSE\n')).toEqual([
      { name: 'ann', age: 30, member: true },
      { name: 'bob', age: undefined, member: false },
    ]);
  });

  test('reads quotes, separators and line ends of all kinds', () => {
    expect(load('a.csv', 'a,b\r\n"x, ""y""","two\nlines"\r\n')).toEqual([{ a: 'x, "y"', b: 'two\nlines' }]);
    expect(load('a.csv', 'a;b\n1,5;2\n')).toEqual([{ a: '1,5', b: 2 }]);
    expect(load('a.tsv', 'a\tb\n1\t2')).toEqual([{ a: 1, b: 2 }]);
    expect(load('a.csv', 'a,b\n1,\n,2\n\n')).toEqual([
      { a: 1, b: undefined },
      { a: undefined, b: 2 },
    ]);
    expect(load('a.csv', '"a","b"\n"1",-2e3')).toEqual([{ a: '1', b: -2000 }]);
    expect(load('a.csv', 'a,b\n"",x')).toEqual([{ a: '', b: 'x' }]);
    expect(load('a.csv.gz', gzipSync('x,y\n1,2'))).toEqual([{ x: 1, y: 2 }]);
  });

  test('a lone column gives its values', () => {
    expect(load('a.csv', 'height\n1.5\n2\n')).toEqual([1.5, 2]);
    expect(load('a.csv', '1.5\n2\n')).toEqual([1.5, 2]);
  });

  test('without names, lines are arrays', () => {
    expect(load('a.csv', '1,2\n3,4')).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('names alone give no lines', () => {
    expect(load('a.csv', 'a,b\n')).toEqual([]);
  });

  test('mistakes are told with their line', () => {
    expect(() => load('a.csv', 'a,b\n1,2\n1,2,3\n')).toThrow(
      "loadData: 'a.csv', line 3: 3 values where the first line has 2. Put quotes around values that contain the separator.",
    );
    expect(() => load('a.csv', 'a,b\n1,"2\n')).toThrow(
      "loadData: 'a.csv', line 2: a quote is opened and never closed.",
    );
    expect(() => load('a.csv', 'a,b\n"x"y,2\n')).toThrow('loadData: \'a.csv\', line 2: "y" follows a closing quote.');
    expect(() => load('a.csv', 'a,b\n"x\ny",1\n5\n')).toThrow("loadData: 'a.csv', line 4: 1 values");
    expect(() => load('a.csv', 'a,a\n1,2\n')).toThrow("loadData: 'a.csv', line 1: two columns are called 'a'.");
    expect(() => load('a.dat', '1 2.5  -3e4\n4 5 6\n')).toThrow(
      "loadData: 'a.dat', line 1: there are blanks between numbers. Put commas, semicolons or tabs there.",
    );
    expect(load('a.csv', 'body mass\n1\n')).toEqual([1]);
    expect(() => load('a.jsonl', '{"a": 1}\n\n{"a": \n')).toThrow(
      "loadData: 'a.jsonl' is not valid JSON: line 3, column 7: the line ends too early.",
    );
    expect(() => load('a.csv', '')).toThrow("loadData: 'a.csv' is empty.");
    expect(() => load('a.csv', Uint8Array.of(0x61, 0xff, 0x0a))).toThrow("loadData: 'a.csv' is not text in UTF-8.");
  });
});

describe('numbers of 32 bits', () => {
  const floats = (...numbers: number[]): Uint8Array => new Uint8Array(Float32Array.from(numbers).buffer);

  test('are read one after the other, gzipped or not', () => {
    expect(load('draws.f32', floats(0, -1.5, 3e10))).toEqual([0, -1.5, Math.fround(3e10)]);
    // The first bytes are those of an IDX file.
    expect(load('draws.f32.gz', gzipSync(Uint8Array.of(0, 0, 8, 1)))).toHaveLength(1);
    expect(load('none.f32', new Uint8Array(0))).toEqual([]);
  });

  test('are refused where one is cut short', () => {
    expect(() => load('cut.f32', floats(1, 2).subarray(0, 7))).toThrow(
      "'cut.f32' should hold numbers of 4 bytes each, but has 7 bytes",
    );
  });
});

describe('IDX', () => {
  const idx = (type: number, dims: number[], data: number[]) =>
    Uint8Array.from([0, 0, type, dims.length, ...dims.flatMap((d) => [0, 0, d >> 8, d & 255]), ...data]);

  test('images are vectors from 0 to 1, labels numbers', () => {
    const images = load('images-idx3-ubyte', idx(8, [2, 1, 2], [0, 255, 51, 102])) as Tensor[];
    expect(images.map((image) => image.dims)).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(images.map((image) => [...image.data])).toEqual([
      [0, 1],
      [0.2, 0.4],
    ]);
    expect(load('labels-idx1-ubyte.gz', gzipSync(idx(8, [3], [7, 0, 9])))).toEqual([7, 0, 9]);
  });

  test('other types of numbers', () => {
    const bytes = new Uint8Array(new Float32Array([0.5]).buffer).reverse();
    expect(load('a', idx(13, [1], [...bytes]))).toEqual([0.5]);
    expect(load('a', idx(11, [2], [0xff, 0xff, 0x01, 0x00]))).toEqual([-1, 256]);
  });

  test('a file of the wrong length is refused', () => {
    expect(() => load('a', idx(8, [2, 2], [1, 2, 3]))).toThrow(
      "loadData: 'a' has 15 bytes, but its header (2 × 2 numbers of 1 byte) promises 16.",
    );
    expect(() => load('a', Uint8Array.of(0, 0, 8, 2, 0))).toThrow("loadData: 'a' ends within its header, at byte 5.");
  });
});

describe('files', () => {
  test('that cannot be read', () => {
    expect(() => loadData('none.json')).toThrow(
      `loadData cannot read 'none.json': there is no file ${join(folder, 'none.json')}. Paths are relative to the folder of the program.`,
    );
    expect(() => loadData('.')).toThrow('is a folder');
    expect(() => loadData(3 as never)).toThrow('loadData needs the path of a file, got 3.');
    expect(() => load('cut.json.gz', gzipSync('[1, 2, 3]').subarray(0, 15))).toThrow(
      'is gzipped, but damaged or cut short',
    );
    expect(() => load('plain.json.gz', '[1]')).toThrow(
      "loadData: 'plain.json.gz' is not gzipped, though its name says so: it begins with 5b 31, not with 1f 8b.",
    );
    expect(() => load('x.dat', Uint8Array.of(65, 1, 66))).toThrow("loadData: 'x.dat' is not text: its byte 1 is 01 (");
    const noIdx = 'does not begin as IDX files do';
    expect(() => load('t10k-labels-idx1-ubyte', Uint8Array.of(1, 2, 3, 4))).toThrow(noIdx);
    expect(() => load('labels.idx', Uint8Array.of(0, 0, 119, 1, 0, 0, 0, 0))).toThrow(`but with 00 00 77 01.`);
    expect(() => load('empty.idx', '')).toThrow('but with nothing.');
  });
});

describe('loadQMRGraph', () => {
  const graph = {
    diseaseNodes: [{ priorProb: 0.1 }, { priorProb: 0.2 }],
    symptomNodes: [{ leakProb: 0.01, parents: [{ index: 1, prob: 0.5 }] }],
  };
  const loadGraph = (value: unknown) => {
    writeFileSync(join(folder, 'graph.json'), JSON.stringify(value));
    return loadQMRGraph('graph.json');
  };

  test('counts its nodes', () => {
    expect(loadGraph(graph)).toEqual({ ...graph, numDiseases: 2, numSymptoms: 1 });
    expect(loadGraph({ ...graph, numDiseases: 2, numSymptoms: 1 }).numDiseases).toBe(2);
  });

  test.each([
    [[], 'the file must be an object, got an array of length 0.'],
    [{ ...graph, diseaseNodes: 3 }, 'diseaseNodes must be an array, got 3.'],
    [{ ...graph, diseaseNodes: [{ priorProb: 2 }] }, 'diseaseNodes[0].priorProb must be a number from 0 to 1, got 2.'],
    [
      { ...graph, symptomNodes: [{ leakProb: 0, parents: [{ index: 2, prob: 0.5 }] }] },
      'symptomNodes[0].parents[0].index must be the index of a disease, from 0 to 1, got 2.',
    ],
    [{ ...graph, numDiseases: 5 }, 'numDiseases must be 2, the number of nodes, got 5.'],
  ])('mistake %#', (value, message) => {
    expect(() => loadGraph(value)).toThrow(`loadQMRGraph: in 'graph.json', ${message}`);
  });
});

describe('files that would be waited for, or fill the memory', () => {
  test('a pipe', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    expect(() => loadData('pipe.json')).toThrow(/loadData cannot read 'pipe.json': .* is a pipe, not a file\./);
    expect(() => readParams(paramsFile('loadParams', 'pipe.json'))).toThrow(/ is a pipe, not a file\./);
    expect(() => loadQMRGraph('pipe.json')).toThrow(/ is a pipe, not a file\./);
  });

  test('a device', () => {
    expect(() => loadData('/dev/zero')).toThrow("loadData cannot read '/dev/zero': /dev/zero is a device, not a file.");
  });

  test('a folder', () => {
    mkdirSync(join(folder, 'some.json'));
    expect(() => loadData('some.json')).toThrow(/loadData cannot read 'some.json': .*some.json is a folder\./);
  });

  test('more text than a string can hold', () => {
    // The memory is not taken until somebody writes to it.
    const file = { name: 'large.json', bytes: new Uint8Array(600 * 2 ** 20) };
    expect(() => textOf('loadData', file)).toThrow(
      "loadData: 'large.json' has 600 MB; a file of text may have 511. Divide it into several files.",
    );
  });

  test('what unpacks to more than is allowed', () => {
    const bomb = gzipSync(new Uint8Array(2 ** 20));
    expect(unpacked(bomb, 2 ** 20)).toHaveLength(2 ** 20);
    expect(() => unpacked(bomb, 2 ** 20 - 1)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
  });

  test('JSON that is nested too deep', () => {
    expect(() => load('deep.json', '['.repeat(1e5) + ']'.repeat(1e5))).toThrow(
      "loadData: 'deep.json' is nested too deep to be read.",
    );
  });

  const MANY = [0xff, 0xff, 0xff, 0xff];
  test.each([
    ['and has none', [0, 0, 8, 1, ...MANY], 'promises 4294967303.'],
    ['of many numbers', [0, 0, 14, 3, ...MANY, ...MANY, ...MANY], /promises \d/],
    ['without a number', [0, 0, 8, 2, ...MANY, 0, 0, 0, 0], 'promises 4294967295 items without a number in them'],
    ['of no rows', [0, 0, 8, 3, ...MANY, 0, 0, 0, 0, ...MANY], 'promises 4294967295 items without a number in them'],
  ])('an IDX header that claims four billion items %s', (_, bytes, message) => {
    expect(() => load('claims-idx', Uint8Array.from(bytes))).toThrow(message);
  });
});

test('a page has no files, and says what to do instead', () => {
  expect(whyNot('read', new NoFiles(), 'x.csv')).toContain('Add it with Data in the playground');
  expect(whyNot('write', new NoFiles(), 'x.csv')).toContain('Display what is to be kept');
});
