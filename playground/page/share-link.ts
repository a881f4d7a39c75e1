/** A program in a link: compressed, in the part after `#`, which no server ever sees. */
import { type Program, programFrom } from './program.ts';

const NAME = 'program';
/** Longer texts are not programs, whatever they unpack from. */
const LONGEST = 1_000_000;

export async function linkTo(program: Program, page: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(program));
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  const url = new URL(page);
  url.hash = `${NAME}=${base64(packed)}`;
  return url.href;
}

/** The program in a link; undefined if there is none. Throws if there is one that cannot be read. */
export async function programIn(page: string): Promise<Program | undefined> {
  const found = new URL(page).hash.match(new RegExp(`^#${NAME}=(.*)$`));
  if (found === null) return undefined;
  const damaged = new Error('This link is damaged or cut short: ask for it again.');
  try {
    const bytes = await through(fromBase64(found[1]), new DecompressionStream('deflate-raw'));
    const program = programFrom(JSON.parse(new TextDecoder().decode(bytes)));
    if (program === undefined) throw damaged;
    return program;
  } catch {
    throw damaged;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<
    Uint8Array<ArrayBuffer>
  >;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LONGEST) throw new Error('too long');
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const base64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
