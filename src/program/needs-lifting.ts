/** Names that mean gradients: of functions, and of methods and kernels as they stand in strings. */
const NAMES = [
  ...['Optimize', 'OptimizeThenSample', 'dreamSample', 'HMC', 'HMConly', 'NUTS'],
  ...['guide', 'autoGuide', 'forwardGuide', 'SampleGuide', 'param', 'modelParam'],
  ...['nn', 'nneval', 'nnEval', 'nnevalModel', 'affine', 'bias', 'linear', 'rnn', 'gru', 'lstm', 'conv2d', 'maxPool'],
  ...['layerNorm', 'embedding', 'makeRNN', 'makeGRU', 'makeLSTM'],
];
const MENTIONED = new RegExp(`\\b(${NAMES.join('|')})\\b|['"\`]optimize['"\`]`);

/**
 * Whether a program may need its lifted text, judged by the words in it. Text without need costs a little time to
 * compile; the engine behind it is loaded only here.
 */
export function needsLifting(source: string): boolean {
  return MENTIONED.test(source);
}
