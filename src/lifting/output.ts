/** Printing under gradients: of what values are now, and for each lane its own. */
import { currentLanes } from '../lanes/lanes.ts';
import { printInLanes } from '../lanes/printing.ts';
import { recording } from '../lanes/recording.ts';
import * as plain from '../library/index.ts';
import { settled } from '../runtime/force.ts';

export function display(value?: unknown): void {
  const lanes = currentLanes();
  recording.current?.obstruct('output', 'it prints');
  if (lanes === null) plain.display(settled(value));
  else printInLanes(lanes, value, plain.show);
}

export function print(value?: unknown): void {
  display(value);
}
