/**
 * State has an owner: a run, an execution, or the mode it is in (`runtime/machine.ts`), or the engine's mode (`tensor/mode.ts`). What
 * modules keep for themselves is listed here, with the reason why that is no state of a program. Facts about objects in a WeakMap or
 * WeakSet, and places for parts that are loaded later (`Later`), need no row.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** By reason: file and name. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'is the owner itself': ['runtime/machine.ts machine', 'tensor/mode.ts engineMode'],
  'belongs to the run that is going on, and begins anew with another': [
    ...['inference/contents.ts contents', 'tensor/evaluate.ts cache', 'lanes/lane-numbers.ts singlePrecision'],
    'lanes/columns/meter.ts meter',
  ],
  'is what the user of the thread asked for': [
    ...['tensor/devices.ts current', 'tensor/devices.ts blas', 'tensor/devices.ts threads'],
    ...['host/regular-file.ts reading'],
  ],
  'is filled once, when modules are loaded': [
    ...['tensor/node.ts allOps', 'tensor/node.ts evaluation', 'tensor/run-start.ts forgetting'],
    ...['tensor/elementwise/table.ts elementwiseOps', 'tensor/elementwise/table.ts arities'],
    ...['tensor/plan/scalar-writer.ts opcodeOf', 'tensor/plan/scalar-writer.ts relationOf'],
    ...['tensor/gradient/gradient.ts sharesOf', 'v8/optimising.ts optimising'],
    ...['lanes/columns/column.ts tensorLists', 'lanes/columns/column.ts calling', 'runtime/readable.ts readable'],
    ...['lanes/density/recorded.ts behind', 'lanes/density/tables.ts calling'],
    ...['lanes/density/recorded.ts making', 'lanes/density/distribution.ts makingDistribution'],
    ...[
      'lanes/columns/tensor-functions.ts functions',
      'lanes/columns/roaming-objects.ts referring',
      'algebra/host-functions.ts said',
    ],
    ...['inference/methods.ts methods', 'inference/methods.ts texts'],
    ...[
      'modules/app-models.ts spoken',
      'modules/link.ts functions',
      'modules/link.ts readings',
      'runtime/places.ts modules',
    ],
    ...['tensor/ziggurat.ts EDGES', 'tensor/ziggurat.ts INSIDE', 'host/packages.ts packages'],
  ],
  'is made when first needed, and the same whatever ran before': [
    ...[
      'algebra/host-functions.ts listed',
      'algebra/host-functions.ts unlisted',
      'algebra/host-rules.ts byFunction',
      'algebra/identity-blind.ts finding',
      'algebra/host-rules.ts ofLodash',
      'io/crc32.ts table',
    ],
    ...['compiler/parse/parse.ts typescriptParser', 'compiler/parse/parse.ts markupParser'],
    ...['runtime/likeness.ts EARLIER', 'runtime/readable.ts offered', 'runtime/refusal.ts handlers'],
    ...['tensor/blas.ts found', 'tensor/wasm/device.ts device', 'tensor/plan/scalar-plan.ts shared'],
    ...['tensor/philox.ts patience', 'tensor/philox.ts block', 'tensor/philox.ts fast'],
    ...[
      'v8/new-code.ts allowed',
      'tensor/leaves.ts shared',
      'tensor/ops/indexing.ts ranges',
      'tensor/ops/linalg.ts masks',
    ],
    ...['tensor/ops/reductions.ts kept', 'tensor/ops/reductions.ts axisKept', 'tensor/plan/row-parts.ts known'],
    ...['tensor/plan/structure.ts attributeNumbers', 'tensor/plan/scalar-code.ts templates'],
    ...['tensor/elementwise/loops.ts loops', 'tensor/kernels/convolution.ts sources'],
    ...['lanes/columns/kernel-memory.ts made', 'lanes/columns/tensor-engine.ts known'],
    'lanes/columns/elementary.ts agrees',
    ...['inference/chains/hamiltonian/leapfrog.ts compiled', 'inference/chains/hamiltonian/trees.ts compiled'],
  ],
  'is room that is written before it is read': [
    ...['tensor/short-arrays.ts piece', 'tensor/short-arrays.ts used', 'tensor/plan/structure.ts buffer'],
    ...['tensor/elementwise/loops.ts accesses', 'tensor/elementwise/loops.ts types'],
    ...['tensor/elementwise/loops.ts data', 'tensor/elementwise/loops.ts tables'],
    ...['tensor/reference.ts result', 'tensor/reference.ts parts', 'tensor/reference.ts numbers'],
    ...['tensor/reference.ts operands', 'tensor/lane-gather.ts gathered', 'tensor/wasm/instructions.ts scratchF32'],
    'tensor/wasm/assembler.ts numbers',
  ],
  'counts, to tell one from another': [
    ...['runtime/values.ts identityCount', 'tensor/node.ts stamp', 'program/unit.ts count'],
    ...['runtime/memo.ts reads', 'runtime/memo.ts writes', 'runtime/parameters.ts reads', 'runtime/likeness.ts made'],
    ...[
      'inference/chains/trace.ts fills',
      'lanes/density/remembering.ts failures',
      'program/host-module.ts hostModules',
    ],
  ],
  'is zero, or null, again when what it counts, or collects, has returned': [
    'algebra/endless.ts depth',
    'lanes/columns/kernel-memory.ts depth',
    'lanes/columns/layer-operations.ts passing',
  ],
  'belongs to the process of the command': [
    'cli/signals.ts saving',
    'cli/signals.ts announcement',
    'cli/signals.ts lastWork',
    'cli/signals.ts stopping',
    'cli/signals.ts waitsForOthers',
    'cli/streams.ts speaks',
    'cli/streams.ts written',
    'cli/streams.ts already',
    'cli/v8/kept-code.ts loaded',
    'cli/v8/kept-code.ts words',
    'cli/v8/kept-code.ts forProgram',
    'cli/v8/kept-code.ts chunks',
    'cli/v8/code-store.ts known',
  ],
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.d)\.ts$/.test(name));
const texts = new Map(
  files.map((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    return [file, text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '')] as const;
  }),
);

/** Constants of a module that are objects: name, what they are made by, and whether others see them. */
const OBJECTS = /^(export )?const (\w+)(?::[^=]*?(?:=>[^=]*?)*)? = (\{|\[|new (\w+))/gms;
/** What holds facts about objects, or does not change. */
const HARMLESS = new Set(['WeakMap', 'WeakSet', 'FinalizationRegistry', 'Later', 'Op', 'Reason', 'RegExp']);

/** Whether a text writes to a field or an item of this object. */
function writes(text: string, name: string, isCollection: boolean): boolean {
  const path = String.raw`(?<![.\w])${name}(?:\.\w+|\[[^\]]*\])+`;
  const assigned = new RegExp(String.raw`${path}\s*(?:=(?![=>])|\+\+|--|[-+*/|&?]{1,2}=)|(?:\+\+|--)${path}`);
  const filled = new RegExp(String.raw`(?<![.\w])${name}\.(?:set|add|push|delete|clear|splice|fill)\(`);
  return assigned.test(text) || (isCollection && filled.test(text));
}

/** Whether a class of this text has fields that change. */
function changesItself(text: string, type: string | undefined): boolean {
  const body = new RegExp(String.raw`^(?:export )?class ${type}\b[^{]*\{(.*?)^\}`, 'ms').exec(text)?.[1];
  return (
    body !== undefined &&
    /^ {2}(?:private |protected )?(?!readonly|static|get |set )\w+(?:: [^=;()]+)?(?: = [^;]*)?;$/m.test(body)
  );
}

function stateOf(file: string, text: string): string[] {
  const variables = [
    ...text.matchAll(/^(?:export )?let (\w+)|^ +(?:private )?static (?!readonly)(\w+)(?::[^=(]*)? =/gm),
  ].map(([, variable, field]) => variable ?? field);
  const objects = [...text.matchAll(OBJECTS)].filter(([, exported, name, made, type]) => {
    if (HARMLESS.has(type)) return false;
    const imports = new RegExp(String.raw`^import [^;]*\b${name}\b[^;]*from '[^']*${basename(file)}'`, 'ms');
    const isCollection = made === '[' || type === 'Map' || type === 'Set';
    const others = exported ? [...texts.values()].filter((its) => imports.test(its)) : [];
    return changesItself(text, type) || [text, ...others].some((its) => writes(its, name, isCollection));
  });
  return [...variables, ...objects.map(([, , name]) => name)].map((name) => `${file} ${name}`);
}

test('modules keep no state of their own, but for what is listed', () => {
  const found = [...texts].flatMap(([file, text]) => stateOf(file, text));
  expect(found.sort()).toEqual(Object.values(ALLOWED).flat().sort());
});

test('what would be state is found', () => {
  const samples = {
    a: 'let count = 0;\nclass A {\n  static made = 0;\n}',
    b: 'export const current: { step: number } = { step: 0 };\nfunction next() { current.step++; }',
    c: 'const seen = new Map<string, number>();\nexport const note = (k: string) => seen.set(k, 1);',
    d: 'const list: (() => void)[] = [];\nconst add = (f) => { list.push(f); };',
    e: 'const fixed = { a: 1 };\nconst b = fixed.a === 2;\nconst known = new WeakMap();\nknown.set({}, 1);',
    f: 'class Meter {\n  private count = 0;\n  step() {\n    this.count++;\n  }\n}\nexport const meter = new Meter();',
  };
  const found = Object.entries(samples).map(([file, text]) => stateOf(file, text));
  expect(found).toEqual([['a count', 'a made'], ['b current'], ['c seen'], ['d list'], [], ['f meter']]);
});
