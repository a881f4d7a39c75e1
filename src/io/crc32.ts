/** CRC-32 as in zip and PNG (reflected polynomial 0xedb88320). */

/** What each byte adds; made when first needed, since few runs write or read files that have checksums. */
let table: Uint32Array | null = null;

function madeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
    return remainder;
  });
}

export function crc32(bytes: Uint8Array): number {
  table ??= madeTable();
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}
