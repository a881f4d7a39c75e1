/** Names that mean gradients: of functions, and of methods and kernels as they stand in strings. */
const NAMES =
  /\b(Optimize|OptimizeThenSample|HMC|HMConly|NUTS|guide|autoGuide|forwardGuide|SampleGuide|param|modelParam|dreamSample|nn|nneval|nnEval|nnevalModel)\b|['"`]optimize['"`]/;

/**
 * Whether a program may need its lifted text, judged by the words in it. Text without need costs a little time to
 * compile; the engine behind it is loaded only here.
 */
export function needsLifting(source: string): boolean {
  return NAMES.test(source);
}
