/** Parameter files: the container (see `docs/parameters.md`), or WebPPL's JSON where the name ends in `.json`. */
import { resolve } from '../host/path.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { Tensor } from '../tensor/tensor.ts';
import { bytesOf, checkWritable, type NamedFile, readContainer, writeContainer, writeFile } from './container-file.ts';
import { paramsFromJson, paramsToJson } from './params-json.ts';
import { textOf } from './read-file.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** How numbers are kept in a file: as they are, or in half the space with seven digits. */
export type Precision = 'float64' | 'float32';

const KIND = 'parameters';

export function paramsFile(caller: string, name: unknown, folder: string = machine.run.folder): NamedFile {
  if (typeof name !== 'string' || name === '') {
    throw new WaymarkError(`${caller} needs the name of a file, got ${describe(name)}.`);
  }
  return { caller, name, place: resolve(folder, name) };
}

/** The parameters in the file; undefined if there is none. A damaged file is an error. */
export function readParams(file: NamedFile): Record<string, Tensor> | undefined {
  const bytes = bytesOf(file);
  if (bytes === undefined) return undefined;
  if (isJson(file)) {
    return paramsFromJson(file.caller, file.name, textOf(file.caller, { name: file.name, bytes }));
  }
  const { arrays } = readContainer(file, bytes, KIND);
  return Object.fromEntries(
    arrays.map(({ name, dims, data }) => [name, new Tensor([...dims], Float64Array.from(data))]),
  );
}

/** Throws unless the file could be replaced: a file of another kind in its place is kept. */
export function checkReplaceable(file: NamedFile): void {
  checkWritable(file);
  try {
    readParams(file);
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    throw new WaymarkError(`${error.message} It is not overwritten: give another name, or delete it.`);
  }
}

/** Replaces the file as a whole. */
export function writeParams(file: NamedFile, params: Tensors, precision: Precision = 'float64'): void {
  checkReplaceable(file);
  if (isJson(file)) {
    writeFile(file, new TextEncoder().encode(`${paramsToJson(params)}\n`));
    return;
  }
  const arrays = Object.entries(params).map(([name, { dims, data }]) => ({
    name,
    dims,
    data: precision === 'float32' ? Float32Array.from(data) : data,
  }));
  writeContainer(file, { kind: KIND, meta: {}, arrays });
}

const isJson = ({ name }: NamedFile): boolean => /\.json$/i.test(name);
