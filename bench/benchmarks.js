/**
 * What is measured. Each benchmark is a program in `programs/` that both systems run unchanged; `rounds` is how often
 * each side runs it, in processes of its own, taking turns. To add one, add its program and a row.
 */
export const benchmarks = [
  { name: 'startup', program: 'trivial.wppl', measure: 'wall', rounds: 9 },
  { name: 'forward', program: 'forward.wppl', rounds: 5 },
  { name: 'enumerate-hmm', program: 'enumerate-hmm.wppl', rounds: 5 },
  { name: 'enumerate-flips', program: 'enumerate-flips.wppl', rounds: 5 },
  { name: 'rejection', program: 'rejection.wppl', rounds: 5 },
  { name: 'rsa', program: 'rsa.wppl', rounds: 5 },
  { name: 'mh-linreg', program: 'mh-linreg.wppl', rounds: 5 },
  { name: 'hmc-linreg', program: 'hmc-linreg.wppl', rounds: 5 },
  { name: 'hmc-linreg-10k', program: 'hmc-linreg-10k.wppl', rounds: 3 },
  { name: 'smc-hmm-1k', program: 'smc-hmm-1k.wppl', rounds: 5 },
  { name: 'smc-hmm-10k', program: 'smc-hmm-10k.wppl', rounds: 5 },
];
