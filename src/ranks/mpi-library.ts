/**
 * The MPI of the system: Open MPI, or one with the binary interface of MPICH (MPICH, Intel MPI, MVAPICH). It is called through `koffi`,
 * an optional dependency. `WAYMARK_MPI=off` forbids it, `WAYMARK_MPI=/path/to/lib` names the library.
 *
 * The two kinds differ in what a handle is. In Open MPI it is the address of an object of the library, found by its name; in
 * MPICH it is a number, fixed by its binary interface.
 */
import { installedPackage } from '../host/modules.ts';
import { environment, pause, platform } from '../host/system.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Launch } from './launch.ts';
import type { Wire } from './wire.ts';

type Handle = number | bigint;

/** What is used of koffi. */
interface Foreign {
  load(library: string, options?: { readonly global?: boolean }): Loaded;
  address(pointer: unknown): bigint;
}

interface Loaded {
  func(prototype: string): (...values: unknown[]) => number;
  symbol(name: string, type: string): unknown;
}

/** Handles, and numbers that stand for something, of one kind of MPI. */
interface Dialect {
  readonly kind: NonNullable<Launch['kind']>;
  readonly world: Handle;
  readonly types: Readonly<Record<'double' | 'float' | 'byte' | 'int', Handle>>;
  readonly sum: Handle;
  readonly largest: Handle;
  readonly returnErrors: Handle;
  /** Stands for a buffer that is both what is given and what is found. */
  readonly inPlace: bigint;
  readonly ignoreStatus: bigint;
  /** The type of handles in C. */
  readonly handle: 'uintptr_t' | 'int';
}

const CANDIDATES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libmpi.so.40', 'libmpi.so.12', 'libmpich.so.12', 'libmpi.so'],
  darwin: ['libmpi.40.dylib', 'libmpi.12.dylib', 'libmpi.dylib', '/opt/homebrew/lib/libmpi.dylib'],
};

const INSTALL =
  'Install one (openmpi-bin or mpich on Debian and Ubuntu, openmpi on Fedora and Homebrew; on a cluster, module load openmpi), ' +
  'or name its library in WAYMARK_MPI.';

/** How well a library fits the launcher of this process: an MPI of another kind would see one rank only. */
const fits = (kind: Dialect['kind'], launch: Launch | undefined): boolean =>
  launch?.kind === undefined || launch.kind === kind;

/**
 * Finds the library that fits the launch, and declares what is used of it; says in one sentence why there is none. `isCrowded`: there are
 * more ranks on this machine than processors.
 */
export function openMpi(launch: Launch | undefined, isCrowded = false): Mpi {
  const wish = environment('WAYMARK_MPI');
  if (wish === 'off') throw new WaymarkError('MPI is asked for, and WAYMARK_MPI=off forbids it.');
  const koffi = installedPackage('koffi');
  if (koffi === undefined) {
    throw new WaymarkError('MPI is called through the package koffi, which is not installed: npm install koffi.');
  }
  const found: Mpi[] = [];
  for (const library of wish ? [wish] : (CANDIDATES[platform()] ?? [])) {
    const mpi = load(koffi.module as Foreign, library, isCrowded);
    if (mpi !== undefined && (wish || fits(mpi.kind, launch))) return mpi;
    if (mpi !== undefined) found.push(mpi);
  }
  if (wish) throw new WaymarkError(`WAYMARK_MPI names ${wish}, which could not be loaded as an MPI library.`);
  if (found.length === 0) throw new WaymarkError(`No MPI library was found on this machine. ${INSTALL}`);
  throw new WaymarkError(
    `These ranks were started by the launcher of ${launch?.kind}, and only ${found[0].kind} (${found[0].library}) was found here. ` +
      `Start them with the launcher of ${found[0].kind}, or name the library of ${launch?.kind} in WAYMARK_MPI.`,
  );
}

function load(koffi: Foreign, name: string, isCrowded: boolean): Mpi | undefined {
  try {
    const library = koffi.load(name, { global: true });
    return new Mpi(name, library, openMpiDialect(koffi, library) ?? MPICH, isCrowded);
  } catch {
    return undefined; // Not there, or not an MPI: the next candidate may be.
  }
}

/** Undefined if the library is not Open MPI. */
function openMpiDialect(koffi: Foreign, library: Loaded): Dialect | undefined {
  const of = (name: string): bigint => koffi.address(library.symbol(`ompi_mpi_${name}`, 'char'));
  try {
    return {
      kind: 'Open MPI',
      world: of('comm_world'),
      types: { double: of('double'), float: of('float'), byte: of('byte'), int: of('int') },
      sum: of('op_sum'),
      largest: of('op_max'),
      returnErrors: of('errors_return'),
      inPlace: 1n,
      ignoreStatus: 0n,
      handle: 'uintptr_t',
    };
  } catch {
    return undefined;
  }
}

const MPICH: Dialect = {
  kind: 'MPICH',
  world: 0x44000000,
  types: { double: 0x4c00080b, float: 0x4c00040a, byte: 0x4c00010d, int: 0x4c000405 },
  sum: 0x58000003,
  largest: 0x58000001,
  returnErrors: 0x54000001,
  inPlace: -1n,
  ignoreStatus: 1n,
  handle: 'int',
};

/** Ranks call MPI from one thread each, that of the program. */
const FUNNELED = 1;
/** Room for the longest error message of any MPI. */
const LONGEST_MESSAGE = 1024;

/** How often a rank on a crowded machine asks whether the others are there before it pauses, and for how long, in milliseconds. */
const ASKED_AT_ONCE = 8;
const ASKED_SOON = 200;
const SHORT_PAUSE_MS = 0.05;
const LONG_PAUSE_MS = 1;

/**
 * An MPI library, and what is called of it. All calls that communicate wait for the others. MPI does so by asking again and again, which
 * is right where each rank has a processor of its own. On a crowded machine it keeps those that it waits for from running, for whole
 * turns of the scheduler; there calls are begun only, and ranks sleep until they are done.
 */
class Mpi implements Wire {
  readonly kind: Dialect['kind'];
  private readonly request = new BigInt64Array(new ArrayBuffer(8));
  private readonly done = new Int32Array(new ArrayBuffer(8));

  constructor(
    readonly library: string,
    private readonly loaded: Loaded,
    private readonly dialect: Dialect,
    private readonly isCrowded: boolean,
  ) {
    this.kind = dialect.kind;
    // Whatever has no such function is no MPI.
    this.function('MPI_Init_thread', 'void*, void*, int, _Out_ int*');
  }

  private readonly known = new Map<string, (...values: unknown[]) => number>();

  /** A function of the library, which throws where MPI reports an error. `H` stands for a handle. */
  private function(name: string, parameters: string): (...values: unknown[]) => number {
    let call = this.known.get(name);
    if (call === undefined) {
      const foreign = this.loaded.func(`int ${name}(${parameters.replaceAll('H', this.dialect.handle)})`);
      call = (...values) => {
        const code = foreign(...values);
        if (code !== 0) throw new WaymarkError(`${name} of ${this.kind} failed: ${this.explain(code)}.`);
        return code;
      };
      this.known.set(name, call);
    }
    return call;
  }

  private explain(code: number): string {
    const text = new Uint8Array(LONGEST_MESSAGE);
    const length = [0];
    const known = this.loaded.func('int MPI_Error_string(int, void*, _Out_ int*)')(code, text, length) === 0;
    return known ? new TextDecoder().decode(text.subarray(0, length[0])) : `error ${code}`;
  }

  init(): { readonly rank: number; readonly size: number } {
    this.function('MPI_Init_thread', 'void*, void*, int, _Out_ int*')(null, null, FUNNELED, [0]);
    const { world, returnErrors } = this.dialect;
    this.function('MPI_Comm_set_errhandler', 'H, H')(world, returnErrors);
    const [rank, size] = [[0], [0]];
    this.function('MPI_Comm_rank', 'H, _Out_ int*')(world, rank);
    this.function('MPI_Comm_size', 'H, _Out_ int*')(world, size);
    return { rank: rank[0], size: size[0] };
  }

  finalize(): void {
    this.function('MPI_Finalize', '')();
  }

  abort(code: number): void {
    this.function('MPI_Abort', 'H, int')(this.dialect.world, code);
  }

  /** What this library calls itself. */
  version(): string {
    const text = new Uint8Array(8192);
    const length = [0];
    this.function('MPI_Get_library_version', 'void*, _Out_ int*')(text, length);
    const [line] = new TextDecoder().decode(text.subarray(0, length[0])).split(/[\n\0]/);
    return line
      .split(',')[0]
      .replace(/ Version:\s*/, ' ')
      .trim();
  }

  allReduce(numbers: Float64Array | Float32Array, how: 'sum' | 'largest'): void {
    const { inPlace, world, types, [how]: operation } = this.dialect;
    const type = numbers instanceof Float32Array ? types.float : types.double;
    const values = [inPlace, numbers, numbers.length, type, operation, world];
    this.collective('Allreduce', 'intptr_t, void*, int, H, H, H', values);
  }

  /** Calls a function for all ranks, and waits until it is done. */
  private collective(name: string, parameters: string, values: readonly unknown[]): void {
    if (!this.isCrowded) {
      this.function(`MPI_${name}`, parameters)(...values);
      return;
    }
    // Small arrays may be moved in memory, until their buffers are asked for.
    for (const value of values) if (ArrayBuffer.isView(value)) void value.buffer;
    this.function(`MPI_I${name.toLowerCase()}`, `${parameters}, void*`)(...values, this.request);
    this.wait();
  }

  startLargest(numbers: Float64Array): void {
    const { inPlace, world, types, largest } = this.dialect;
    this.function(
      'MPI_Iallreduce',
      'intptr_t, void*, int, H, H, H, void*',
    )(...[inPlace, numbers, numbers.length, types.double, largest, world, this.request]);
  }

  wait(): void {
    if (this.isCrowded) {
      for (let asked = 1; !this.isDone(); asked++) {
        if (asked > ASKED_AT_ONCE) pause(asked < ASKED_SOON ? SHORT_PAUSE_MS : LONG_PAUSE_MS);
      }
      return;
    }
    this.function('MPI_Wait', 'void*, intptr_t')(this.request, this.dialect.ignoreStatus);
  }

  isDone(): boolean {
    this.function('MPI_Test', 'void*, void*, intptr_t')(this.request, this.done, this.dialect.ignoreStatus);
    return this.done[0] !== 0;
  }

  broadcast(bytes: Uint8Array, from: number): void {
    const { types, world } = this.dialect;
    this.collective('Bcast', 'void*, int, H, int, H', [bytes, bytes.length, types.byte, from, world]);
  }

  gatherNumbers(own: Float64Array, all: Float64Array): void {
    const { types, world } = this.dialect;
    const values = [own, own.length, types.double, all, own.length, types.double, world];
    this.collective('Allgather', 'void*, int, H, void*, int, H, H', values);
  }

  gatherBytes(own: Uint8Array, all: Uint8Array, counts: Int32Array, places: Int32Array): void {
    const { types, world } = this.dialect;
    const values = [own, own.length, types.byte, all, counts, places, types.byte, world];
    this.collective('Allgatherv', 'void*, int, H, void*, void*, void*, H, H', values);
  }
}
