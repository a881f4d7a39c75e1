/** What a program prints in work that ranks divide: the first rank prints that of all, in the order in which one process would. */
import { machine } from '../runtime/machine.ts';
import { isFirst } from '../runtime/team.ts';
import { forAWhile } from '../tensor/mode.ts';
import { packed, unpacked } from './parcels.ts';

/** Something printed, as bytes where it can be sent. */
export interface Printed {
  readonly text: string;
  readonly value: Uint8Array | undefined;
}

/** Does some work, and keeps back what it prints. If the work fails, that is printed before. */
export function hushed<R>(work: () => R): { readonly result: R; readonly printed: readonly Printed[] } {
  const outputs: { value: unknown; text: string }[] = [];
  const output = (value: unknown, text: string): void => void outputs.push({ value, text });
  const { run } = machine;
  try {
    // (Not another run: what is known of a run is kept by which one it is.)
    const result = forAWhile(run, { output }, work);
    return { result, printed: outputs.map(({ value, text }) => ({ text, value: packed(value) })) };
  } catch (thrown) {
    if (isFirst()) for (const { value, text } of outputs) run.output(value, text);
    throw thrown;
  }
}

/** Prints what was kept back. Of values that cannot be sent, such as functions, the text is left. */
export function print(printed: readonly Printed[]): void {
  if (!isFirst()) return;
  for (const { text, value } of printed) machine.run.output(value === undefined ? text : unpacked(value), text);
}
