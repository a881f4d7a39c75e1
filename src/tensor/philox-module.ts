/** Philox in WebAssembly: `philox(c0, c1, c2, c3, k0, k1)` writes its four words to the start of `memory`. */

const I32 = 0x7f;
const I64 = 0x7e;

// Parameters and locals, by number.
const [C0, C1, C2, C3, K0, K1, PRODUCT_0, PRODUCT_1] = [0, 1, 2, 3, 4, 5, 6, 7];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const i32Const = (value: number): number[] => [0x41, ...signed(BigInt(value | 0))];
const i64Const = (value: number): number[] => [0x42, ...signed(BigInt(value))];
const I32_ADD = 0x6a;
const I32_XOR = 0x73;
const I64_MUL = 0x7e;
const I64_SHIFT_RIGHT_UNSIGNED = 0x88;
const LOW_WORD = 0xa7;
const WIDEN_UNSIGNED = 0xad;

/** LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

const list = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];
const text = (value: string): number[] => sized([...value].map((character) => character.charCodeAt(0)));

const product = (word: number, factor: number, into: number): number[] => [
  ...[...get(word), WIDEN_UNSIGNED, ...i64Const(factor), I64_MUL, ...set(into)],
];

/** word ← upper half of the product ^ other ^ key; other ← its lower half. */
const mixed = (from: number, other: number, key: number, word: number): number[] => [
  ...[...get(from), ...i64Const(32), I64_SHIFT_RIGHT_UNSIGNED, LOW_WORD],
  ...[...get(other), I32_XOR, ...get(key), I32_XOR, ...set(word)],
  ...[...get(from), LOW_WORD, ...set(other)],
];

const increased = (key: number, constant: number): number[] => [
  ...[...get(key), ...i32Const(constant), I32_ADD, ...set(key)],
];

const ROUND: readonly number[] = [
  ...product(C0, 0xd2511f53, PRODUCT_0),
  ...product(C2, 0xcd9e8d57, PRODUCT_1),
  ...mixed(PRODUCT_1, C1, K0, C0),
  ...mixed(PRODUCT_0, C3, K1, C2),
  ...increased(K0, 0x9e3779b9),
  ...increased(K1, 0xbb67ae85),
];

const stored = (word: number): number[] => [...i32Const(0), ...get(word), 0x36, 2, 4 * word];

/** The module. `?bytes` gives it as the build has made it. */
export default function philoxModule(): Uint8Array<ArrayBuffer> {
  const rounds = new Array<readonly number[]>(10).fill(ROUND).flat();
  const stores = [C0, C1, C2, C3].flatMap(stored);
  const code = [...list([[2, I64]]), ...rounds, ...stores, 0x0b];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list([[0x60, ...list(new Array(6).fill([I32])), 0]])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, 1]])),
    ...section(
      7,
      list([
        [...text('memory'), 2, 0],
        [...text('philox'), 0, 0],
      ]),
    ),
    ...section(10, list([sized(code)])),
  ]);
}
