/** Marks callbacks that change nothing a model can see, for the runtime to know. */
import type { Node } from 'acorn';
import type { Analysis } from '../analyse/analysis.ts';
import { quietCallbacks } from '../analyse/quiet.ts';
import { once } from '../once.ts';
import type { Emission } from './emission.ts';

type Emit = (e: Emission, node: never) => void;

const MENTIONED = /onStep|stepSize/;

const callbacksOf = once(
  (analysis: Analysis, { library, source }: Emission): ReadonlySet<Node> =>
    MENTIONED.test(source.text) ? quietCallbacks(analysis, library) : new Set(),
);

/** The same writer, which marks the functions that are quiet. */
export function marksQuiet(emit: Emit): Emit {
  return (e, node: Node) => {
    const isQuiet = callbacksOf(e.analysis, e).has(node);
    if (isQuiet) e.text('$.quiet(');
    emit(e, node as never);
    if (isQuiet) e.text(')');
  };
}
