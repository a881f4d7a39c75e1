/** The parameters of the run as programs get at them, in WebPPL's words; and in files. */

import { type Precision, paramsFile, readParams, writeParams } from '../io/params-file.ts';
import { paramsFromJson, paramsToJson } from '../io/params-json.ts';
import { recording } from '../lanes/recording.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { Tensor } from '../tensor/tensor.ts';
import { type Params, tableOf } from './given-params.ts';
import { tablesOf } from './params-tables.ts';

/**
 * The parameters by name, as they are now: later steps of an optimisation do not change what is returned. They are in the order
 * of their names, with numbers in these by size.
 */
export function getParams<Names extends string = string>(): Params<Names> {
  // Read as plain values, they would be taken for constants of the step.
  recording.current?.obstruct('parameters', 'the program reads the parameters themselves');
  const copied = Object.entries(machine.params.inOrder()).map(([name, { dims, data }]): [string, Tensor] => [
    name,
    new Tensor(dims, data.slice()),
  ]);
  return Object.fromEntries(copied) as Params<Names>;
}

/** Makes these the parameters of the run, instead of all that were. */
export function setParams(params: Readonly<Record<string, unknown>>): void {
  checkOutside('setParams');
  machine.params.replace(tableOf('setParams', params));
}

/** The name of the table of parameters in use. */
export function getParamsId(): string {
  return tablesOf(machine.run).id;
}

/** Uses another table of parameters from now on: what it held when it was last in use, or an empty one. */
export function setParamsId(id: string): void {
  checkOutside('setParamsId');
  if (typeof id !== 'string' || id === '') {
    throw new WaymarkError(`setParamsId needs a name for a table of parameters, got ${describe(id)}.`);
  }
  tablesOf(machine.run).use(id);
}

/** Uses a new, empty table of parameters from now on. */
export function setFreshParamsId(): void {
  checkOutside('setFreshParamsId');
  tablesOf(machine.run).useFresh();
}

/** Parameters as JSON text, which `deserializeParams` and WebPPL read. */
export function serializeParams(params: Readonly<Record<string, unknown>>): string {
  return paramsToJson(tableOf('serializeParams', params).toObject());
}

/** The parameters in a text that `serializeParams` or WebPPL made. */
export function deserializeParams(text: string): Params {
  if (typeof text !== 'string') {
    throw new WaymarkError(`deserializeParams needs the text that serializeParams made, got ${describe(text)}.`);
  }
  return paramsFromJson('deserializeParams', 'the text', text);
}

/** Options of `saveParams`. */
export interface SaveParamsOptions {
  /** 'float32' halves the file and keeps seven digits. */
  precision?: Precision;
}

/**
 * Writes parameters to a file, relative to the folder of the program: WebPPL's JSON if its name ends in `.json`, else
 * Waymark's own format, which keeps every bit. An older parameter file is replaced; any other file is left alone.
 */
export function saveParams(
  params: Readonly<Record<string, unknown>>,
  file: string,
  options: SaveParamsOptions = {},
): void {
  checkSaveOptions(options);
  writeParams(paramsFile('saveParams', file), tableOf('saveParams', params).toObject(), options.precision);
}

function checkSaveOptions(options: SaveParamsOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`saveParams takes its options as an object, got ${describe(options)}.`);
  }
  for (const name in options) {
    if (name !== 'precision') {
      throw new WaymarkError(
        `saveParams has no option '${name}'; it takes precision.${didYouMean(name, ['precision'])}`,
      );
    }
  }
  const { precision = 'float64' } = options;
  if (precision !== 'float64' && precision !== 'float32') {
    throw new WaymarkError(`saveParams: precision must be 'float64' or 'float32', got ${describe(precision)}.`);
  }
}

/** The parameters in a file that `saveParams`, `--params` or WebPPL wrote. */
export function loadParams(file: string): Params {
  const named = paramsFile('loadParams', file);
  const params = readParams(named);
  if (params !== undefined) return params;
  throw new WaymarkError(
    `loadParams cannot read '${file}': there is no file ${named.place}. Paths are relative to the folder of the program.`,
  );
}

/** Inside an execution the parameters are those it was given, and other executions may read them. */
function checkOutside(caller: string): void {
  if (runsDirectly()) return;
  throw new WaymarkError(
    `${caller} must be called outside of models, guides and callbacks. To use other parameters for one inference, give ` +
      'Infer or Optimize the option params.',
  );
}
