/** The WebAssembly device: its memory, its mathematical functions, and the kernels generated so far. */
import { normalTable, TABLE_BYTES } from '../ziggurat.ts';
import { F64, ModuleBuilder } from './assembler.ts';
import { ConstantPool } from './constants.ts';
import { type FusedSpec, generateFused, mathNames, specKey } from './fused.ts';
import { type ExportedFunction, webAssembly } from './host.ts';
import { generateIndexing, type IndexingSpec, indexingKey } from './indexing.ts';
import { addMath32 } from './math32.ts';
import { addMath64 } from './math64.ts';
import { matmulModule, WORK_BYTES } from './matmul.ts';
import { DeviceMemory, INITIAL_PAGES } from './memory.ts';
import { movesModule } from './moves.ts';
import { mappedRandomModule } from './open-random.ts';
import { randomModule } from './random.ts';
import { sparseModule } from './sparse-rows.ts';
import { type SharedModule, Threads } from './threads.ts';
import { canShare } from './worker.ts';

/** A generated kernel: takes the address of its table. */
export type Kernel = (table: number) => void;

/** Programs whose structure keeps changing would otherwise collect kernels without end. */
const MOST_KERNELS = 2048;

export class WasmDevice {
  readonly memory = new DeviceMemory(INITIAL_PAGES, canShare());
  private readonly math: Record<string, ExportedFunction>;
  private readonly kernels = new Map<string, Kernel>();
  private readonly sharedKernels = new Map<string, SharedModule>();
  private readonly indexers = new Map<string, ExportedFunction>();
  private moveFunctions: Record<string, ExportedFunction> | null = null;
  private randomFunctions: Record<string, ExportedFunction> | null = null;
  private mappedRandomFunctions: Record<string, ExportedFunction> | null = null;
  private sparseFunctions: Record<string, ExportedFunction> | null = null;
  private productFunctions: Record<string, ExportedFunction> | null = null;
  /** Memory for packing. Taken at the start, because the scratch area must not move while a plan is laid out. */
  readonly workspace = this.memory.allocate(WORK_BYTES);
  /** For the table that normals are drawn by; taken at the start for the same reason. */
  private readonly normalTable = this.memory.allocate(TABLE_BYTES);
  private hasNormalTable = false;
  /** Null where threads cannot share memory. */
  readonly threads: Threads | null;

  private readonly constants = new ConstantPool(this.memory);

  constructor() {
    const math = mathModule(this.constants);
    this.math = this.instantiate(math, MATH_IMPORTS);
    const basics = () => ({ math: math.build(true), products: productsModule().build(true) });
    this.threads = this.memory.shared ? new Threads(this.memory, this.workspace, basics) : null;
  }

  /** `compile` makes the module, if it is to be optimised later than others. */
  instantiate(
    module: ModuleBuilder,
    imports: Record<string, unknown> = {},
    compile?: (bytes: Uint8Array<ArrayBuffer>) => object,
  ): Record<string, ExportedFunction> {
    if (webAssembly === undefined) throw new Error('This host has no WebAssembly.');
    const bytes = module.build(this.memory.shared);
    const compiled = compile === undefined ? new webAssembly.Module(bytes) : compile(bytes);
    return new webAssembly.Instance(compiled, { env: { memory: this.memory.memory, ...imports } }).exports;
  }

  /** Matrix products; started when first needed. */
  get products(): Record<string, ExportedFunction> {
    if (this.productFunctions === null) {
      this.productFunctions = this.instantiate(productsModule());
    }
    return this.productFunctions;
  }

  /** What products with sparse matrices are made of; started when first needed. */
  get sparse(): Record<string, ExportedFunction> {
    this.sparseFunctions ??= this.instantiate(sparseModule());
    return this.sparseFunctions;
  }

  /** Moving elements by tables of offsets; started when first needed. */
  get moves(): Record<string, ExportedFunction> {
    this.moveFunctions ??= this.instantiate(movesModule());
    return this.moveFunctions;
  }

  /** Random numbers of lanes; started when first needed. */
  get random(): Record<string, ExportedFunction> {
    this.randomFunctions ??= this.instantiate(randomModule(this.constants), RANDOM_IMPORTS);
    return this.randomFunctions;
  }

  /** The same for lanes that a map names; started when first needed. */
  get mappedRandom(): Record<string, ExportedFunction> {
    this.mappedRandomFunctions ??= this.instantiate(mappedRandomModule(this.constants), RANDOM_IMPORTS);
    return this.mappedRandomFunctions;
  }

  /** Where the table is that normals are drawn by; written when first needed. */
  get normals(): number {
    if (!this.hasNormalTable) this.memory.f64.set(normalTable(), this.normalTable / 8);
    this.hasNormalTable = true;
    return this.normalTable;
  }

  fused(spec: FusedSpec): Kernel {
    const key = specKey(spec);
    let kernel = this.kernels.get(key);
    if (kernel === undefined) {
      const imports: Record<string, unknown> = {};
      const suffix = spec.compute === 'f64' ? '64' : '32';
      for (const name of mathNames(spec)) imports[`${name}${suffix}`] = this.math[`${name}${suffix}`];
      kernel = this.instantiate(generateFused(spec, this.constants), imports).run as unknown as Kernel;
      if (this.kernels.size >= MOST_KERNELS) this.dropOldest();
      this.kernels.set(key, kernel);
    }
    return kernel;
  }

  /** A kernel as threads can call it; null if they cannot. Takes memory: not while a plan is laid out. */
  sharedKernel(spec: FusedSpec): SharedModule | null {
    const key = specKey(spec);
    let shared = this.sharedKernels.get(key);
    if (shared === undefined && this.threads !== null) {
      shared = this.threads.share(generateFused(spec, this.constants).build(true)) ?? undefined;
      if (shared !== undefined) this.sharedKernels.set(key, shared);
    }
    return shared ?? null;
  }

  /** Forgets the half of the kernels that was made first; plans keep those they use. */
  private dropOldest(): void {
    let left = MOST_KERNELS / 2;
    for (const key of this.kernels.keys()) {
      if (left-- === 0) return;
      this.kernels.delete(key);
    }
  }

  /** A gather or scatter kernel, which answers with the first bad row or −1. */
  indexing(spec: IndexingSpec): (table: number) => number {
    const key = indexingKey(spec);
    let kernel = this.indexers.get(key);
    if (kernel === undefined) {
      kernel = this.instantiate(generateIndexing(spec)).run;
      this.indexers.set(key, kernel);
    }
    return kernel;
  }
}

const RANDOM_IMPORTS = { log: Math.log, exp: Math.exp };
const MATH_IMPORTS = { sin: Math.sin, cos: Math.cos };

function mathModule(constants: ConstantPool): ModuleBuilder {
  const oneNumber = { parameters: [F64], results: [F64] } as const;
  const module = new ModuleBuilder(
    Object.keys(MATH_IMPORTS).map((name) => ({ name, signature: oneNumber })),
    constants,
  );
  addMath32(module, addMath64(module));
  return module;
}

/** With fused multiply-add where the platform has it. */
function productsModule(): ModuleBuilder {
  return matmulModule(supportsFma() && !reproducible());
}

let device: WasmDevice | null | undefined;

/** The one device of this thread, started when first needed; null where the platform has no WebAssembly with SIMD. */
export function wasmDevice(): WasmDevice | null {
  if (device === undefined) device = supportsSimd() ? new WasmDevice() : null;
  return device;
}

/** (func (result v128) …) with the given instructions. */
function accepts(instructions: readonly number[]): boolean {
  const body = [0, ...instructions, 11];
  const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0];
  const bytes = [...header, 10, body.length + 2, 1, body.length, ...body];
  return webAssembly?.validate(Uint8Array.from(bytes)) === true;
}

/** v128.const 0. */
const ZERO = [253, 12, ...new Array<number>(16).fill(0)];

function supportsSimd(): boolean {
  return accepts(ZERO);
}

/** f32x4.relaxed_madd. */
function supportsFma(): boolean {
  return accepts([...ZERO, ...ZERO, ...ZERO, 253, 0x85, 0x02]);
}

/** Fused multiply-add may round differently on another processor; `WAYMARK_FMA=off` forbids it. */
function reproducible(): boolean {
  const host = (globalThis as { process?: { env: Record<string, string | undefined> } }).process;
  return host?.env.WAYMARK_FMA === 'off';
}
