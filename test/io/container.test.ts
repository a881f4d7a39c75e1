import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { atomicWrite } from '../../src/io/atomic-write.ts';
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
});
