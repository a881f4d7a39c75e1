import { machine } from '../runtime/machine.ts';
import { show } from './show/value.ts';

/** Prints a value, as a person reads it. */
export function display(value?: unknown): void {
  machine.run.output(value, show(value));
}

/** The name of `display` in browser editors. */
export function print(value?: unknown): void {
  display(value);
}
