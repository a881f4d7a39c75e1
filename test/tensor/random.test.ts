/** Lanes draw exactly what the runtime's streams draw. */
import { afterEach, describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/runtime/random.ts';
import { useDevice } from '../../src/tensor/devices.ts';
import { philox } from '../../src/tensor/philox.ts';
import { childKeys, type LaneStreams, laneNormals, laneUniforms } from '../../src/tensor/random.ts';

afterEach(() => useDevice('wasm'));

const SEED = 42;
const LANES = 23;
const OCCURRENCE = 1;

/** The key of the root stream and of its children, straight from the definition of the runtime's streams. */
function rootKey(): [number, number] {
  const bits = new Int32Array(new Float64Array([SEED]).buffer);
  const [k0, k1] = philox(bits[0], bits[1], 0, 2, 0, 0);
  return [k0, k1];
}

function laneStreams(choice: number): LaneStreams {
  const [k0, k1] = rootKey();
  const keys = childKeys(
    { key0: new Int32Array(LANES).fill(k0), key1: new Int32Array(LANES).fill(k1) },
    new Int32Array(LANES).fill(OCCURRENCE),
    Int32Array.from({ length: LANES }, (_, i) => i),
  );
  return { ...keys, choice: new Int32Array(LANES).fill(choice) };
}

function runtimeStreams(choice: number): RandomStream[] {
  const root = RandomStream.fromSeed(SEED);
  return Array.from({ length: LANES }, (_, i) => {
    const stream = root.child(OCCURRENCE, i);
    for (let c = 0; c < choice; c++) stream.begin();
    return stream;
  });
}

describe.each(['js', 'wasm'] as const)('random numbers of lanes on %s', (device) => {
  it.each([1, 2, 3, 8, 13])('are uniforms of the runtime, bit by bit, %i per lane', (count) => {
    useDevice(device);
    for (const choice of [1, 2, 5]) {
      const drawn = laneUniforms(laneStreams(choice), count);
      runtimeStreams(choice).forEach((stream, lane) => {
        for (let i = 0; i < count; i++) expect(drawn[lane * count + i]).toBe(stream.uniform());
      });
    }
  });

  it.each([1, 2, 5, 8, 21])('are normals of the runtime, bit by bit, %i per lane', (count) => {
    useDevice(device);
    // Enough of them that some lie in the tail, and some between layers.
    for (let choice = 1; choice <= 400; choice++) {
      const drawn = laneNormals(laneStreams(choice), count);
      const expected = runtimeStreams(choice).flatMap((stream) =>
        Array.from({ length: count }, () => stream.gaussian()),
      );
      expect([...drawn]).toEqual(expected);
    }
  });

  it('are the same however many are drawn', () => {
    useDevice(device);
    for (const draw of [laneNormals, laneUniforms]) {
      const many = draw(laneStreams(2), 17);
      const few = draw(laneStreams(2), 6);
      for (let lane = 0; lane < LANES; lane++) {
        expect([...many.subarray(17 * lane, 17 * lane + 6)]).toEqual([...few.subarray(6 * lane, 6 * lane + 6)]);
      }
    }
  });

  it('go on from a later block', () => {
    useDevice(device);
    const all = laneUniforms(laneStreams(1), 6);
    for (const count of [2, 10]) {
      const rest = laneUniforms(laneStreams(1), count, 2);
      for (let lane = 0; lane < LANES; lane++) {
        expect([...rest.subarray(count * lane, count * lane + 2)]).toEqual([
          ...all.subarray(6 * lane + 4, 6 * lane + 6),
        ]);
      }
    }
  });
});
