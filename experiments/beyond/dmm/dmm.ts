// A deep Markov model (Krishnan et al. 2017): a hidden state that moves by a network, and a guide that has read the rest of the piece.
import {
  argv,
  DiagCovGaussian,
  type Distribution,
  foldData,
  MultivariateBernoulli,
  mapData,
  modelParam,
  nn,
  nneval,
  nnevalModel,
  type OptimizeGiven,
  observe,
  sample,
  softplus,
  T,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, train } from '../../training.ts';
import { boundOf } from '../bounds.ts';

const LOWEST = 21;
const NOTES = 88;
const STATE = 64;
const HIDDEN = 100;
const AHEAD = 128;

type Chords = readonly (readonly number[])[];
type Piece = readonly Tensor[];

const given = givenData<Record<'train' | 'valid' | 'test', readonly Chords[]>>();
const slice = (notes: readonly number[]): Tensor => {
  const there = new Array<number>(NOTES).fill(0);
  for (const note of notes) there[note - LOWEST] = 1;
  return Vector(there);
};
const pieces = (part: readonly Chords[]): Piece[] => part.map((chords) => chords.map(slice));

// Where the state goes: a mixture, gate by gate, of a straight line and a network.
const gate = nn.mlp(
  STATE,
  [
    { nOut: HIDDEN, activation: nn.relu },
    { nOut: STATE, activation: nn.sigmoid },
  ],
  'gate',
);
const bent = nn.mlp(STATE, [{ nOut: HIDDEN, activation: nn.relu }, { nOut: STATE }], 'bent');
const straight = nn.linear(STATE, STATE, 'straight');
const spread = nn.linear(STATE, STATE, 'spread');
function move(before: Tensor): Distribution<Tensor> {
  const open = nnevalModel(gate, before);
  const proposed = nnevalModel(bent, before);
  const kept = nnevalModel(straight, before);
  return DiagCovGaussian({
    mu: T.add(kept, T.mul(open, T.sub(proposed, kept))),
    sigma: softplus(nnevalModel(spread, T.max(proposed, 0))),
  });
}

const notes = nn.mlp(
  STATE,
  [
    { nOut: HIDDEN, activation: nn.relu },
    { nOut: HIDDEN, activation: nn.relu },
    { nOut: NOTES, activation: nn.sigmoid },
  ],
  'notes',
);

// What the guide knows of the slices from here on, and what it makes of that and of the state before.
const read = nn.mlp(NOTES + AHEAD, [{ nOut: AHEAD, activation: nn.tanh }], 'read');
const bring = nn.mlp(STATE, [{ nOut: AHEAD, activation: nn.tanh }], 'bring');
const guideMu = nn.linear(AHEAD, STATE, 'guideMu');
const guideSigma = nn.linear(AHEAD, STATE, 'guideSigma');
function guess(before: Tensor, ahead: Tensor): Distribution<Tensor> {
  const known = T.mul(T.add(nneval(bring, before), ahead), 0.5);
  return DiagCovGaussian({ mu: nneval(guideMu, known), sigma: softplus(nneval(guideSigma, known)) });
}

const nothing = Vector(new Array(AHEAD).fill(0));

function play(piece: Piece): Tensor {
  const backwards = { init: nothing, fn: (ahead: Tensor, heard: Tensor) => nneval(read, T.concat(heard, ahead)) };
  const init = modelParam({ name: 'start', dims: [STATE, 1] });
  return foldData({ data: piece, init, backwards }, (before, heard, _i, ahead) => {
    const state = sample(move(before), { guide: () => guess(before, ahead) });
    observe(MultivariateBernoulli({ ps: nnevalModel(notes, state) }), heard);
    return state;
  });
}

const model =
  (data: readonly Piece[], batchSize = data.length) =>
  () => {
    mapData({ data, batchSize }, play);
  };
const count = (data: readonly Piece[]): number => data.reduce((sum, piece) => sum + piece.length, 0);

const learned = pieces(given.train).slice(0, Number(argv.pieces));
const steps = Number(argv.steps);
const { params, history } = train(model(learned, Number(argv.batch)), {
  gradients: 'automatic',
  // With one, steps of sequences that differ in length are not compiled, and take ten times as long.
  checkpoint: undefined,
  clip: 10 * count(learned),
  optMethod: { adam: { stepSize: (step: number) => 0.001 * (1 - step / steps) + 1e-5 } },
});

/** How often a bound is estimated, for its mean. */
const TIMES = 3;
/** Nats per slice. */
const boundOn = (data: readonly Piece[], estimator: OptimizeGiven['estimator']): number =>
  -boundOf(model(data), params, estimator, TIMES) / count(data);
const elboOf = (data: readonly Piece[]): number => boundOn(data, 'ELBO');

const few = (part: readonly Chords[]) => pieces(part).slice(0, Number(argv.tested));
const [valid, tested] = [few(given.valid), few(given.test)];
export default {
  history: history.map((bound) => -bound / count(learned)),
  validElbo: elboOf(valid),
  testElbo: elboOf(tested),
  samples: Number(argv.samples),
  testIwae: boundOn(tested, { IWAE: { samples: Number(argv.samples) } }),
};
