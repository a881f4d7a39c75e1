/** Values that emitted text holds in a variable of its own, as parts of expressions. */
import type { Expression, Node } from 'acorn';
import type { Emission } from './emission.ts';

interface HeldValue extends Node {
  readonly text: string;
}

/** An expression that stands for the value held in a variable. */
export function held(text: string, at: number): Expression {
  return { type: 'HeldValue', text, start: at, end: at } as Node as Expression;
}

export function emitHeld(e: Emission, node: HeldValue): void {
  e.text(node.text);
}
