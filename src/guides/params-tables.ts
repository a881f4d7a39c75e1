import { machine, type Run, runsDirectly } from '../runtime/machine.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { RandomStream } from '../runtime/random.ts';

/** The tables of parameters of one run, by name. One of them is in use at a time. */
class ParameterTables {
  id: string;
  private readonly tables = new Map<string, ParameterTable>();
  private made = 0;

  constructor(private readonly seed: number) {
    this.id = this.freshId();
    this.tables.set(this.id, machine.params);
  }

  /** False for tables of an earlier run with the same settings. */
  get current(): boolean {
    return !runsDirectly() || this.tables.get(this.id) === machine.params;
  }

  use(id: string): void {
    let table = this.tables.get(id);
    if (table === undefined) {
      table = new ParameterTable();
      this.tables.set(id, table);
    }
    this.id = id;
    machine.params = table;
  }

  useFresh(): void {
    this.use(this.freshId());
  }

  /** Like WebPPL's, but the same in every run of the same seed. */
  private freshId(): string {
    const stream = RandomStream.fromSeed(this.seed)
      .named(`table of parameters ${this.made++}`)
      .begin();
    return `params-${stream
      .integer(36 ** 8)
      .toString(36)
      .padStart(8, '0')}`;
  }
}

const byRun = new WeakMap<Run, ParameterTables>();

export function tablesOf(run: Run): ParameterTables {
  let tables = byRun.get(run);
  if (tables === undefined || !tables.current) {
    tables = new ParameterTables(run.seed);
    byRun.set(run, tables);
  }
  return tables;
}
