import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { atomicWrite, removeDrafts } from '../../src/host/atomic-write.ts';
import { type Contents, decodeContainer, encodeContainer } from '../../src/io/container.ts';
import { crc32 } from '../../src/io/crc32.ts';

const contents: Contents = {
  kind: 'parameters',
  meta: { note: 'größer ≥ 1', step: 3 },
  arrays: [
    { name: 'W', dims: [2, 3], data: Float64Array.of(1, -2.5, 1e300, -0, Number.MIN_VALUE, Math.PI) },
    { name: 'net.b', dims: [3], data: Float32Array.of(0.1, 0.2, -3) },
    { name: 'empty', dims: [0], data: new Float64Array(0) },
  ],
};

describe('container', () => {
  test('what goes in comes out, bit for bit', () => {
    expect(decodeContainer(encodeContainer(contents))).toEqual(contents);
  });

  test('reads from the middle of a larger buffer', () => {
    const bytes = encodeContainer(contents);
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(decodeContainer(larger.subarray(3))).toEqual(contents);
    expect(decodeContainer(Buffer.from(larger.buffer, 3, bytes.length))).toEqual(contents);
  });

  test('every single changed byte is noticed', () => {
    const bytes = encodeContainer(contents);
    for (let i = 0; i < bytes.length; i++) {
      const damaged = bytes.slice();
      damaged[i] ^= 0x10;
      expect(() => decodeContainer(damaged), `byte ${i}`).toThrow(/begin as a Waymark|checksum/);
    }
  });

  test('every truncation is noticed', () => {
    const bytes = encodeContainer(contents);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeContainer(bytes.subarray(0, length)), `${length} bytes`).toThrow(
        /begin as a Waymark|checksum/,
      );
    }
  });

  /** A file whose header says something else, with a checksum that is right. */
  function withHeader(text: string): Uint8Array {
    const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
    const bytes = new Uint8Array(16 + header.length + 16);
    bytes.set(encodeContainer(contents).subarray(0, 8));
    bytes.set(header, 16);
    const view = new DataView(bytes.buffer);
    view.setUint32(12, header.length, true);
    view.setUint32(8, crc32(bytes.subarray(12)), true);
    return bytes;
  }

  const array = { name: 'a', dims: [2], type: 'float64', offset: 0, length: 2 };
  const header = { version: 1, kind: 'parameters', meta: {}, arrays: [array] };

  test('files of the format are read, whoever wrote them', () => {
    expect(decodeContainer(withHeader(JSON.stringify(header))).arrays).toEqual([
      { name: 'a', dims: [2], data: new Float64Array(2) },
    ]);
  });

  test.each([
    ['no JSON', '{"version": 1', 'its header is not valid JSON'],
    ['nothing', 'null', 'it has format version undefined, and this Waymark reads version 1'],
    ['another version', JSON.stringify({ ...header, version: 2 }), 'it has format version 2, and this Waymark reads version 1'],
    ['no kind', JSON.stringify({ ...header, kind: undefined }), 'its header does not say what it holds'],
    ['no arrays', JSON.stringify({ ...header, arrays: {} }), 'its header does not say what it holds'],
    ['another type', JSON.stringify({ ...header, arrays: [{ ...array, type: 'int8' }] }), "its header does not say what the array 'a' is"],
    ['no dims', JSON.stringify({ ...header, arrays: [{ ...array, dims: 2 }] }), "its header does not say what the array 'a' is"],
    ['a negative offset', JSON.stringify({ ...header, arrays: [{ ...array, offset: -8 }] }), "its header does not say what the array 'a' is"],
    ['other dims', JSON.stringify({ ...header, arrays: [{ ...array, dims: [3] }] }), "the array 'a' has dims [3] and 2 numbers"],
    ['too little data', JSON.stringify({ ...header, arrays: [{ ...array, offset: 8 }] }), "the array 'a' goes beyond its end"],
    ['an array at another place', JSON.stringify({ ...header, arrays: [{ ...array, dims: [1], length: 1, offset: 4 }] }), "the array 'a' is not where the one before it ends"],
    ['one place for two arrays', JSON.stringify({ ...header, arrays: [array, { ...array, name: 'b' }] }), "the array 'b' is not where the one before it ends"],
    ['numbers of half the width', JSON.stringify({ ...header, arrays: [{ ...array, type: 'float32' }] }), 'its arrays take 8 bytes, and it has 16'],
    ['more data than arrays', JSON.stringify({ ...header, arrays: [] }), 'its arrays take 0 bytes, and it has 16'],
  ])('a header with %s is refused', (_what, text, message) => {
    expect(() => decodeContainer(withHeader(text))).toThrow(message);
  }); // biome-ignore format: a table

  test('crc32 of the standard check string', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
});

describe('atomicWrite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('replaces the file and leaves nothing else behind', () => {
    const file = join(folder, 'params.bin');
    writeFileSync(file, 'old');
    atomicWrite(file, new TextEncoder().encode('new'));
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['params.bin']);
  });

  test('a failed write keeps the old file and leaves nothing else behind', () => {
    expect(() => atomicWrite(join(folder, 'no-such-folder', 'x'), new Uint8Array(1))).toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual(['params.bin']);
  });

  test('keeps permissions and links, and writes to what is no file', () => {
    const file = join(folder, 'private');
    writeFileSync(file, 'old', { mode: 0o600 });
    symlinkSync(file, join(folder, 'link'));
    atomicWrite(join(folder, 'link'), 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    atomicWrite('/dev/null', 'nothing');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('writes to a pipe that somebody reads from, and does not wait for one', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => atomicWrite(pipe, 'new')).toThrow('it is a pipe that no process reads from');
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    atomicWrite(pipe, 'new');
    const read = Buffer.alloc(8);
    expect(read.toString('utf8', 0, readSync(reader, read))).toBe('new');
    // By a name that leads to no file, as shells give to pipes of their own: >(…).
    if (existsSync('/dev/fd')) {
      atomicWrite(`/dev/fd/${openSync(pipe, constants.O_WRONLY)}`, 'same');
      expect(read.toString('utf8', 0, readSync(reader, read))).toBe('same');
    }
    closeSync(reader);
    expect(statSync(pipe).isFIFO()).toBe(true);
    rmSync(pipe);
  });

  test.runIf(existsSync('/dev/fd'))('writes to a file that is open, among what others write there', () => {
    const file = join(folder, 'open');
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, 'before ');
    atomicWrite(`/dev/fd/${descriptor}`, 'new ');
    writeSync(descriptor, 'after');
    closeSync(descriptor);
    expect(readFileSync(file, 'utf8')).toBe('before new after');
    rmSync(file);
  });

  test('removes drafts of processes that are no more, and leaves those of others', () => {
    const file = join(folder, 'drafted');
    const drafts = ['.drafted.999999999-1.draft', '.drafted.999999999.draft', `.drafted.${process.pid}-7.draft`];
    for (const name of drafts) writeFileSync(join(folder, name), '');
    removeDrafts(file);
    expect(drafts.filter((name) => existsSync(join(folder, name)))).toEqual([drafts[2]]);
    rmSync(join(folder, drafts[2]));
  });
});
