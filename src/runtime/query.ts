import { describe } from './describe.ts';
import { WaymarkError } from './errors.ts';
import { machine } from './machine.ts';

/** One `query.add`; the table is the list of them, the last first. */
interface Added {
  readonly name: string;
  readonly value: unknown;
  readonly before: Added | null;
}

/** What an execution adds is gone with it, like everything it remembers. */
export class Query {
  add(name: string, value: unknown): void {
    if (typeof name === 'object' || typeof name === 'function' || name === undefined) {
      throw new WaymarkError(
        `query.add needs a name and a value, as in query.add('x', 3); got ${describe(name)} as name.`,
      );
    }
    machine.memo.remember(this, 'last', { name, value, before: this.last() });
  }

  /** The last value added under the name in this execution. */
  get(name: string): unknown {
    for (let added = this.last(); added !== null; added = added.before) if (added.name === name) return added.value;
    return undefined;
  }

  /** Everything added in this execution, in the order in which the names came first. */
  table(): Record<string, unknown> {
    const inOrder: Added[] = [];
    for (let added = this.last(); added !== null; added = added.before) inOrder.push(added);
    return Object.fromEntries(inOrder.reverse().map(({ name, value }) => [name, value]));
  }

  private last(): Added | null {
    return (machine.memo.find(this, 'last')?.value as Added | undefined) ?? null;
  }
}

/**
 * A table that a model fills on its way: `query.add(name, value)`, `query.get(name)`. A model that returns `query` itself
 * has the table as its value.
 */
export const query: Query = new Query();
