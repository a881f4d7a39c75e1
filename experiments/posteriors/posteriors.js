/** The programs of this folder, and the files with their data and reference draws. To add one, add its program and a row. */
export const posteriors = [
  { name: 'eight-schools', file: 'eight_schools-eight_schools_noncentered.json' },
  { name: 'kidscore-momiq', file: 'kidiq-kidscore_momiq.json' },
  { name: 'logearn-height', file: 'earnings-logearn_height.json' },
  { name: 'logmesquite', file: 'mesquite-logmesquite.json' },
  { name: 'autoregression', file: 'arK-arK.json' },
  { name: 'basketball-drives', file: 'bball_drive_event_0-hmm_drive_0.json' },
  { name: 'gaussian-mixture', file: 'low_dim_gauss_mix-low_dim_gauss_mix.json' },
  { name: 'linear-regression', file: 'sblrc-blr.json' },
  { name: 'hidden-markov', file: 'hmm_example-hmm_example.json' },
  { name: 'gaussian-process', file: 'gp_pois_regr-gp_pois_regr.json' },
  { name: 'lotka-volterra', file: 'hudson_lynx_hare-lotka_volterra.json' },
  { name: 'garch', file: 'garch-garch11.json' },
];
