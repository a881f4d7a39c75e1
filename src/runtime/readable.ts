/**
 * How objects of the runtime look in a console. The library knows how to show them; where it is not loaded, because a program
 * shows nothing, their own `toString` has to do.
 */

/** Set by the library: a text of several lines, or within one. */
export const readable: { show?: (value: object, inline: boolean) => string } = {};

/** What Node, Deno and Bun ask an object for when they print it. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** A method of results that have a text of their own: what `display` shows of them. */
export const SHOWN: unique symbol = Symbol('shown');

/** Inside of other objects hosts count down from this. */
const OUTERMOST = 2;

export function inspected(value: object, depth: unknown): string {
  const inline = typeof depth === 'number' && depth < OUTERMOST;
  return readable.show?.(value, inline) ?? String(value);
}

interface Formatter {
  header(value: unknown): unknown[] | null;
  hasBody(): boolean;
}

let offered = false;

/**
 * Consoles of browsers show distributions as they are shown in a terminal, where their custom formatters are switched on. Called
 * when there is something to show, so that loading Waymark changes nothing in a page.
 */
export function offerToConsole(isShown: (value: unknown) => boolean): void {
  if (offered) return;
  offered = true;
  const page = globalThis as { document?: unknown; devtoolsFormatters?: Formatter[] };
  if (page.document === undefined) return;
  page.devtoolsFormatters ??= [];
  page.devtoolsFormatters.push({
    header: (value) => (isShown(value) ? ['pre', { style: 'margin: 0' }, inspected(value as object, OUTERMOST)] : null),
    hasBody: () => false,
  });
}
