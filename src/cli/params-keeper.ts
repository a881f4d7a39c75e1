/** `--params FILE`: the parameters that a run starts with, and where they are saved at its end. */
import { resolve } from 'node:path';
import type { NamedFile } from '../io/container-file.ts';
import { checkReplaceable, readParams, writeParams } from '../io/params-file.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { unfinished } from './unfinished-file.ts';

export class ParamsKeeper {
  /** The parameters of the run. */
  readonly table: ParameterTable;
  /** Whether there was no file, so that the run begins without parameters. */
  readonly fresh: boolean;
  private readonly before: ParameterTable;

  /** Reads the file. Throws a `WaymarkError` if it is damaged or could not be written later. */
  constructor(
    private readonly name: string,
    /** The absolute path. */
    private readonly place = resolve(name),
  ) {
    const file: NamedFile = { caller: '--params', name, place };
    const params = readParams(file);
    checkReplaceable(file);
    this.fresh = params === undefined;
    this.table = ParameterTable.from(params ?? {});
    this.before = this.table.copy();
  }

  /**
   * Writes the parameters back, if they changed. After a failure the file stays as it was, and they go into another
   * beside it: hours of optimisation should not be lost to a slip further down. Returns the name of the file written.
   */
  save(failed: boolean): string | undefined {
    if (this.table.equals(this.before)) return undefined;
    const name = failed ? unfinished(this.name) : this.name;
    const place = failed ? unfinished(this.place) : this.place;
    writeParams({ caller: '--params', name, place }, this.table.toObject());
    return name;
  }
}
