// Whether what a network says of a program's choices is true as often as it says: on data that the program makes up.
import { Amortize, argv, calibrate } from 'waymark';
import { checkpoint, given } from './trained.ts';
import { universal } from './universal-programs.ts';

const { label, exampleOf, model } = universal[String(argv.program)];
const net = Amortize(model, { exampleOf, stepSize: 0.005, steps: given('steps'), checkpoint: checkpoint() });
const simulations = given('simulations');
const found = calibrate(net, { method: { samples: given('samples'), method: 'importance' }, simulations });

type Curve = (typeof found)['quantities'][string]['ecdf'];

const stays = ({ value, lower, upper }: Curve): boolean => value.every((y, i) => y >= lower[i] && y <= upper[i]);

export default {
  label,
  simulations,
  calibrated: found.calibrated,
  verdict: found.verdict,
  draws: found.quality.draws,
  quantities: Object.entries(found.quantities).map(([name, { finding, ecdf, logScore }]) => ({
    name,
    finding,
    inBand: stays(ecdf),
    gain: logScore.gain,
    ecdf,
  })),
};
