/** Marks callbacks that change nothing a model can see, for the runtime to know. */
import type { Node } from 'acorn';
import type { Analysis } from '../analyse/analysis.ts';
import { quietCallbacks } from '../analyse/quiet.ts';
import type { Emission } from './emission.ts';

type Emit = (e: Emission, node: never) => void;

const MENTIONED = /onStep|stepSize/;

const found = new WeakMap<Analysis, ReadonlySet<Node>>();

function callbacksOf({ analysis, library, source }: Emission): ReadonlySet<Node> {
  let callbacks = found.get(analysis);
  if (callbacks === undefined) {
    callbacks = MENTIONED.test(source.text) ? quietCallbacks(analysis, library) : new Set();
    found.set(analysis, callbacks);
  }
  return callbacks;
}

/** The same writer, which marks the functions that are quiet. */
export function marksQuiet(emit: Emit): Emit {
  return (e, node: Node) => {
    const isQuiet = callbacksOf(e).has(node);
    if (isQuiet) e.text('$.quiet(');
    emit(e, node as never);
    if (isQuiet) e.text(')');
  };
}
