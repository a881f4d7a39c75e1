/**
 * What is measured. Each benchmark is a program in `programs/` that both systems run unchanged; `rounds` is how often
 * each side runs it, in processes of its own, taking turns. To add one, add its program and a row.
 *
 * Of an optimisation, one step is measured, and of a chain, one sample: `steps` gives each system a short and a long
 * run, whose difference is divided by the number of steps that one has more. WebPPL gets fewer steps, so that it ends
 * within seconds. The program finds the number of steps in the variable `steps`, and what `data` names in the variable
 * `data`.
 *
 * What WebPPL does not have is measured against Waymark itself, one execution after the other: `against: 'sequential'`; and programs
 * that branch against about as much work without: `against: 'straight'`, of which the program knows by the variable `straight`.
 * `variables` gives it others.
 */
export const benchmarks = [
  { name: 'startup', program: 'trivial.wppl', measure: 'wall', rounds: 9 },
  { name: 'forward', program: 'forward.wppl', rounds: 5 },
  { name: 'enumerate-hmm', program: 'enumerate-hmm.wppl', rounds: 5 },
  { name: 'enumerate-flips', program: 'enumerate-flips.wppl', rounds: 5 },
  { name: 'rejection', program: 'rejection.wppl', rounds: 5 },
  { name: 'rsa', program: 'rsa.wppl', rounds: 5 },
  { name: 'comparison-class', program: 'comparison-class.wppl', rounds: 5 },
  { name: 'mdp-agent', program: 'mdp-agent.wppl', rounds: 5 },
  { name: 'mh-linreg', program: 'mh-linreg.wppl', rounds: 5 },
  { name: 'hmc-linreg', program: 'hmc-linreg.wppl', rounds: 5 },
  { name: 'hmc-linreg-10k', program: 'hmc-linreg-10k.wppl', rounds: 3 },
  {
    name: 'hmc-linreg-sample',
    program: 'hmc-linreg-sample.wppl',
    rounds: 3,
    steps: { waymark: [1000, 21000], webppl: [500, 2500] },
  },
  { name: 'smc-hmm-1k', program: 'smc-hmm-1k.wppl', rounds: 9 },
  { name: 'smc-hmm-10k', program: 'smc-hmm-10k.wppl', rounds: 9 },
  {
    name: 'gmm-amortized',
    program: 'gmm-amortized.wppl',
    rounds: 3,
    steps: { waymark: [1000, 6000], webppl: [50, 250] },
  },
  {
    name: 'gmm-meanfield',
    program: 'gmm-meanfield.wppl',
    rounds: 3,
    steps: { waymark: [1000, 6000], webppl: [50, 250] },
  },
  {
    name: 'gmm-marginal',
    program: 'gmm-marginal.wppl',
    rounds: 3,
    steps: { waymark: [1000, 6000], webppl: [50, 250] },
  },
  { name: 'qmr-joint', program: 'qmr-joint.wppl', rounds: 3, steps: { waymark: [100, 1100], webppl: [5, 25] } },
  { name: 'qmr-factored', program: 'qmr-factored.wppl', rounds: 2, steps: { waymark: [120, 420], webppl: [5, 25] } },
  { name: 'qmr-gru', program: 'qmr-gru.wppl', rounds: 1, steps: { waymark: [50, 150], webppl: [2, 12] } },
  {
    name: 'lda-meanfield',
    program: 'lda-meanfield.wppl',
    rounds: 2,
    data: 'corpus',
    steps: { waymark: [20, 220], webppl: [2, 7] },
  },
  {
    name: 'lda-marginal',
    program: 'lda-marginal.wppl',
    rounds: 1,
    data: 'corpus',
    steps: { waymark: [20, 220], webppl: [2, 7] },
  },
  {
    name: 'lda-word',
    program: 'lda-word.wppl',
    rounds: 2,
    data: 'corpus',
    steps: { waymark: [20, 120], webppl: [1, 3] },
  },
  {
    name: 'lda-document',
    program: 'lda-document.wppl',
    rounds: 2,
    data: 'corpus',
    steps: { waymark: [120, 420], webppl: [2, 7] },
  },
  { name: 'vae', program: 'vae.wppl', rounds: 5, steps: { waymark: [20, 320], webppl: [2, 8] } },
  { name: 'sbn', program: 'sbn.wppl', rounds: 3, steps: { waymark: [20, 420], webppl: [2, 10] } },
  // The same steps of both: as the guide learns, trees become smaller, and steps cheaper.
  {
    name: 'recursive',
    program: 'recursive.wppl',
    rounds: 3,
    variables: { trees: 20 },
    steps: { waymark: [200, 2200], webppl: [200, 2200] },
  },
  {
    name: 'recursive-200',
    program: 'recursive.wppl',
    rounds: 2,
    variables: { trees: 200 },
    steps: { waymark: [200, 700], webppl: [20, 70] },
  },
  // Data that part differently in every step, beside as much work that all data do alike.
  ...['grammar', 'components', 'while', 'attend'].map((name) => ({
    name: `branch-${name}`,
    program: `branch-${name}.wppl`,
    rounds: 3,
    against: 'straight',
    steps: { waymark: [300, 2300], straight: [300, 2300] },
  })),
  { name: 'guided-network', program: 'guided-network.wppl', rounds: 3, against: 'sequential' },
  {
    name: 'amortize-step',
    program: 'amortize-step.wppl',
    rounds: 3,
    against: 'sequential',
    steps: { waymark: [10, 60], sequential: [1, 4] },
  },
  {
    name: 'amortize-posterior',
    program: 'amortize-posterior.wppl',
    rounds: 3,
    against: 'sequential',
    steps: { waymark: [2, 12], sequential: [1, 3] },
  },
  { name: 'posteriors', program: 'posteriors.wppl', rounds: 3, against: 'sequential' },
];
