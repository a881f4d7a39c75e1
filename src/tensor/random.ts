/**
 * Random numbers of many lanes at once. They are those of the runtime's streams, by the same definition: Philox4x32-10
 * of the counter [block, choice, 0, purpose] under the lane's key; a block gives two uniforms, or two normals. So a lane
 * draws the same numbers alone and beside others.
 */
import { currentDevice } from './devices.ts';
import { normalOf, uniformOf } from './normals.ts';
import { philox } from './philox.ts';
import { type WasmDevice, wasmDevice } from './wasm/device.ts';
import { type ResidentBuffer, residentBuffer } from './wasm/resident.ts';

/** The state of each lane's stream: its key, and the number of its current choice. */
export interface LaneStreams {
  readonly key0: Int32Array;
  readonly key1: Int32Array;
  readonly choice: Int32Array;
}

/** `count` uniforms on (0, 1) per lane, lane after lane, from a block on. */
export function laneUniforms(streams: LaneStreams, count = 1, firstBlock = 0): Float64Array {
  return draw('uniforms', streams, count, firstBlock);
}

/** `count` standard normals per lane. */
export function laneNormals(streams: LaneStreams, count = 1, firstBlock = 0): Float64Array {
  return draw('normals', streams, count, firstBlock);
}

/** Below this many numbers JavaScript is as fast. */
const WORTH_DEVICE = 16;

/** Whether the device pays for so many numbers. */
export function onDevice(numbers: number): boolean {
  return currentDevice() === 'wasm' && numbers >= WORTH_DEVICE;
}

function deviceFor(numbers: number): WasmDevice | null {
  return onDevice(numbers) ? wasmDevice() : null;
}

function draw(kind: 'uniforms' | 'normals', streams: LaneStreams, count: number, firstBlock: number): Float64Array {
  const lanes = streams.key0.length;
  const device = deviceFor(lanes * count);
  if (device === null)
    return kind === 'uniforms' ? hostUniforms(streams, count, firstBlock) : hostNormals(streams, count, firstBlock);
  const { memory } = device;
  const padded = inFours(lanes);
  const at = memory.scratch(12 * padded + 8 * roomFor(lanes, count));
  // Three times a multiple of four words: a multiple of 16 bytes.
  const out = at + 12 * padded;
  drawAt(device, kind, streams, count, firstBlock, at, out);
  return memory.f64.slice(out / 8, out / 8 + lanes * count);
}

/** Lanes are drawn for in groups of four; the last is filled up with numbers that are not used. */
function inFours(lanes: number): number {
  return Math.ceil(lanes / 4) * 4;
}

/** From this many numbers per lane on, vectors hold numbers of one lane. */
const IN_ROWS = 8;

/** How many numbers there must be room for, to draw so many per lane. */
function roomFor(lanes: number, count: number): number {
  return count < IN_ROWS ? inFours(lanes) * count : lanes * count + IN_ROWS;
}

function drawAt(
  { memory, random, normals }: WasmDevice,
  kind: 'uniforms' | 'normals',
  streams: LaneStreams,
  count: number,
  firstBlock: number,
  at: number,
  out: number,
): void {
  const padded = inFours(streams.key0.length);
  memory.i32.set(streams.key0, at / 4);
  memory.i32.set(streams.key1, at / 4 + padded);
  memory.i32.set(streams.choice, at / 4 + 2 * padded);
  const rest = [firstBlock, at, at + 4 * padded, at + 8 * padded, out, normals] as const;
  if (count < IN_ROWS) random[kind](padded, count, ...rest);
  else random[kind === 'normals' ? 'normalRows' : 'uniformRows'](streams.key0.length, count, ...rest);
}

/** Noise that stays on the device: `count` numbers for each of some lanes, in the same place every time. */
export class ResidentNoise {
  /** The numbers of all lanes, and room to draw in groups. */
  readonly buffer: ResidentBuffer;
  private readonly device: WasmDevice;

  constructor(
    private readonly kind: 'uniforms' | 'normals',
    private readonly lanes: number,
    private readonly count: number,
  ) {
    this.device = wasmDevice() as WasmDevice;
    this.buffer = residentBuffer(roomFor(lanes, count));
  }

  draw(streams: LaneStreams): void {
    const { device, kind, count, lanes } = this;
    drawAt(device, kind, streams, count, 0, device.memory.scratch(12 * inFours(lanes)), this.buffer.address);
  }
}

interface LaneKeys {
  readonly key0: Int32Array;
  readonly key1: Int32Array;
}

/**
 * The keys of children, one per lane: iteration `index` of the construct that reserved `occurrence` in the stream with
 * the given key.
 */
export function childKeys(
  parent: LaneKeys,
  occurrence: Int32Array,
  index: Int32Array,
  into = roomForKeys(index),
): LaneKeys {
  const lanes = index.length;
  const device = deviceFor(lanes);
  if (device === null) return hostChildKeys(parent, occurrence, index, into);
  const { memory, random } = device;
  const padded = Math.ceil(lanes / 4) * 4;
  const at = memory.scratch(padded * 24);
  [index, occurrence, parent.key0, parent.key1].forEach((words, i) => {
    memory.i32.set(words, at / 4 + i * padded);
  });
  const place = (i: number): number => at + 4 * i * padded;
  random.children(padded, place(0), place(1), place(2), place(3), place(4), place(5));
  const words = (i: number): Int32Array => memory.i32.subarray(place(i) / 4, place(i) / 4 + lanes);
  into.key0.set(words(4));
  into.key1.set(words(5));
  return into;
}

const roomForKeys = ({ length }: Int32Array): LaneKeys => ({
  key0: new Int32Array(length),
  key1: new Int32Array(length),
});

function hostUniforms({ key0, key1, choice }: LaneStreams, count: number, firstBlock: number): Float64Array {
  const out = new Float64Array(key0.length * count);
  for (let lane = 0; lane < key0.length; lane++) {
    for (let i = 0; i < count; i += 2) {
      const words = philox(firstBlock + i / 2, choice[lane], 0, 0, key0[lane], key1[lane]);
      out[lane * count + i] = uniformOf(words[0], words[1]);
      if (i + 1 < count) out[lane * count + i + 1] = uniformOf(words[2], words[3]);
    }
  }
  return out;
}

function hostNormals({ key0, key1, choice }: LaneStreams, count: number, firstBlock: number): Float64Array {
  const out = new Float64Array(key0.length * count);
  for (let lane = 0; lane < key0.length; lane++) {
    for (let i = 0; i < count; i++) {
      const number = 2 * firstBlock + i;
      const words = philox(number >> 1, choice[lane], 0, 0, key0[lane], key1[lane]);
      const at = 2 * (number & 1);
      out[lane * count + i] = normalOf(words[at], words[at + 1], key0[lane], key1[lane], choice[lane], 0, number);
    }
  }
  return out;
}

function hostChildKeys(parent: LaneKeys, occurrence: Int32Array, index: Int32Array, into: LaneKeys): LaneKeys {
  const { key0, key1 } = into;
  for (let lane = 0; lane < index.length; lane++) {
    const words = philox(index[lane], occurrence[lane], 0, 1, parent.key0[lane], parent.key1[lane]);
    key0[lane] = words[0];
    key1[lane] = words[1];
  }
  return into;
}
