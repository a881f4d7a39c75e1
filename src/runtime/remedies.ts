/**
 * What helps where executions, iterations or steps run one by one: for each reason a rewrite that the author of the program can make, or
 * why none is needed. Where it is expected to take much longer than it could, a run says so without being asked.
 */
import { costOfExecutions, figureOf } from './costs.ts';
import { machine } from './machine.ts';
import { placeOf } from './places.ts';
import type { Reason, ReasonCode } from './reasons.ts';

interface Remedy {
  /** A sentence that says what to write instead, or what to leave as it is. */
  readonly text: string;
  /** Whether the program could be written so that many run as one, and would take less time then. */
  readonly isWorthIt: boolean;
}

const write = (text: string): Remedy => ({ text, isWorthIt: true });
const leave = (text: string): Remedy => ({ text, isWorthIt: false });

export const REMEDIES: Readonly<Record<ReasonCode, Remedy>> = {
  asked: leave('Leave out --sequential.'),
  text: write(
    'Name the method in the call itself, as in Infer({method: "SMC", …}), so that the program is compiled for it.',
  ),
  engine: leave('Run it where WebAssembly is allowed, as in Node or a page without a policy against it.'),
  few: leave('Nothing need be done: so few are made sooner one by one.'),
  method: leave('Use another method, or leave out the option that is named, if their results will do as well.'),
  watched: write('Leave out the callback, or look at the result when the inference has ended.'),
  inside: leave('Nothing need be done: what is around it runs many as one.'),
  inference: write(
    'Use enumerate for the inner inference, or make it once, outside the model, with mem or cache for what it depends on.',
  ),
  state: write(
    'Make what is changed inside the function that changes it (var xs = []; …), know it by one name, and return it, or return new values ' +
      'instead (xs.concat([x]), {...o, n: o.n + 1}).',
  ),
  output: write('Return what is to be printed, and print it when the inference has ended.'),
  outside: write(
    'Read the clock before the inference, and draw random numbers as choices (uniform(0, 1), randomInteger(n)).',
  ),
  courses: leave(
    'Nothing need be done: one by one is as fast here. Where data differ in kind, one mapData for each kind runs side by side.',
  ),
  choices: leave(
    'Nothing need be done. Steps are sooner made where every execution makes the same choices: draw all, and use those that are needed.',
  ),
  value: write(
    'Keep values that differ as numbers, truth values and plain objects; make text and keys of them when the inference has ended.',
  ),
  host: write(
    "Use the library's functions on values that differ (map, filter, sum, sort), or calculate with operators and Math.",
  ),
  library: write(
    'Write what the function does with map, reduce and operators, or call it with values that do not depend on choices.',
  ),
  family: write(
    'Let the parameters that differ be numbers within their bounds (Math.max(1e-6, sigma)), and the number of values be the same for all.',
  ),
  parameters: write('Name parameters, draw minibatches of one size, and let guides of all data be of one family.'),
  weights: leave(
    'Nothing need be done. Conditions that hold more often, or factors in their place, leave more executions possible.',
  ),
  caught: write('Test for what would be thrown (if (x < 0) …), instead of catching it.'),
  failed: leave('Mend what the message of the program names.'),
  limit: write('Make it smaller: minibatches (batchSize), fewer samples at a time, loops in place of deep recursion.'),
  fault: leave('Report the warning; results are right all the same.'),
};

/** What helps, as a line below an explanation; nothing if there is nothing to be gained. */
export function helpFor(code: ReasonCode | undefined, indent = 2): string {
  if (code === undefined || !REMEDIES[code].isWorthIt) return '';
  return `\n${' '.repeat(indent)}What helps: ${REMEDIES[code].text}`;
}

/** Less is not said unasked. */
const MUCH = 5;

/** Says at which place a program is expected to take more than five times as long as it could, if the user is to be told. */
export function adviseOn(place: string, method: string, reason: Reason, cost: number): void {
  const { run } = machine;
  const { text, isWorthIt } = REMEDIES[reason.code];
  if (!run.engine?.advises || run.engine.explainBatching || !isWorthIt || cost < MUCH) return;
  run.warn(
    `${method} at ${place} runs one by one, and is expected to take about ${figureOf(cost)} times as long as it could, because ` +
      `${reason.from(place)}. ${text}`,
  );
}

/** Fewer executions do not take long enough to be spoken of. */
const MANY = 20_000;

/** The same of so many executions, of which each is made so many times over one by one. */
export function adviseOnExecutions(
  { address }: { readonly address: Parameters<typeof placeOf>[0] },
  method: string,
  reason: Reason,
  executions: number,
  times = 1,
): void {
  if (executions * times < MANY) return;
  adviseOn(placeOf(address) ?? String(address), method, reason, costOfExecutions(reason, executions, times));
}
