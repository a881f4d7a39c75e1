// A deep Markov model (Krishnan et al. 2017): a hidden state that moves by a network, and a guide that has read the rest of the piece.
import {
  argv,
  DiagCovGaussian,
  type Distribution,
  factor,
  foldData,
  Infer,
  MultivariateBernoulli,
  mapData,
  modelParam,
  nn,
  nneval,
  nnevalModel,
  type OptimizeGiven,
  observe,
  type Params,
  sample,
  setParams,
  softplus,
  T,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, stageCheckpoint, train } from '../../training.ts';
import { boundOf } from '../bounds.ts';

const LOWEST = 21;
const NOTES = 88;
const STATE = 64;
const HIDDEN = 100;
const AHEAD = 128;

type Chords = readonly (readonly number[])[];
type Piece = readonly Tensor[];

const given = givenData<Record<'train' | 'valid' | 'test', readonly Chords[]>>();
/** What is played in a slice, so many semitones higher. */
const slice = (notes: readonly number[], higher: number): Tensor => {
  const there = new Array<number>(NOTES).fill(0);
  for (const note of notes) there[note + higher - LOWEST] = 1;
  return Vector(there);
};
const pieces = (part: readonly Chords[], higher = 0): Piece[] =>
  part.map((chords) => chords.map((notes) => slice(notes, higher)));

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

/** How likely a piece is; how much the guide may know of it counts so much. */
const play =
  (counts: number) =>
  (piece: Piece): Tensor => {
    const backwards = { init: nothing, fn: (ahead: Tensor, heard: Tensor) => nneval(read, T.concat(heard, ahead)) };
    const init = modelParam({ name: 'start', dims: [STATE, 1] });
    return foldData({ data: piece, init, backwards }, (before, heard, _i, ahead) => {
      const next = move(before);
      const guessed = guess(before, ahead);
      const state = sample(next, { guide: () => guessed });
      if (counts < 1) factor((1 - counts) * (guessed.score(state) - next.score(state)));
      observe(MultivariateBernoulli({ ps: nnevalModel(notes, state) }), heard);
      return state;
    });
  };

const model =
  (data: readonly Piece[], batchSize = data.length, counts = 1) =>
  () => {
    mapData({ data, batchSize }, play(counts));
  };
const count = (data: readonly Piece[]): number => data.reduce((sum, piece) => sum + piece.length, 0);

// Chorales are as good in other keys.
const keys = Number(argv.keys);
const chosen = given.train.slice(0, Number(argv.pieces));
const learned = Array.from({ length: 2 * keys + 1 }, (_, i) => pieces(chosen, i - keys)).flat();
const few = (part: readonly Chords[]) => pieces(part).slice(0, Number(argv.tested));
const [valid, tested] = [few(given.valid), few(given.test)];

/** How often a bound is estimated, for its mean. */
const TIMES = 3;
/** Nats per slice. */
const boundOn = (data: readonly Piece[], params: Params, estimator: OptimizeGiven['estimator']): number =>
  -boundOf(model(data), params, estimator, TIMES) / count(data);

// At first it costs the guide little to know much, so that states come to mean something. From then on, what is best for other chorales is kept.
const STAGES = [
  { end: 0.1, counts: 0.3 },
  { end: 0.4, counts: 1 },
  { end: 0.6, counts: 1 },
  { end: 0.8, counts: 1 },
  { end: 1, counts: 1 },
] as const;
const steps = Number(argv.steps);
const size = Number(argv.stepSize);
const history: number[] = [];
let params: Params = {};
let best = { params, valid: Number.POSITIVE_INFINITY };
for (const [i, { end, counts }] of STAGES.entries()) {
  const before = history.length;
  const found = train(model(learned, Number(argv.batch), counts), {
    gradients: 'automatic',
    params,
    steps: Math.round(end * steps) - before,
    clip: 10 * count(learned),
    weightDecay: Number(argv.decay) * (2 * keys + 1),
    optMethod: { adam: { stepSize: (step: number) => size * (1 - (before + step) / steps) + 1e-5 } },
    checkpoint: stageCheckpoint(i),
  });
  params = found.params;
  history.push(...found.history.map((bound) => -bound / count(learned)));
  const bound = counts < 1 ? Number.POSITIVE_INFINITY : boundOn(valid, params, 'ELBO');
  if (bound < best.valid) best = { params, valid: bound };
}

/** By particles, which guides propose: each slice weighs them anew, where a bound of whole pieces weighs samples once. */
function filtered(data: readonly Piece[], particles: number): number {
  setParams(best.params);
  const evidence = data.map((piece) =>
    Number(Infer(() => void play(1)(piece), { method: 'SMC', particles }).normalizationConstant),
  );
  return -evidence.reduce((sum, one) => sum + one, 0) / count(data);
}

export default {
  history,
  validElbo: best.valid,
  testElbo: boundOn(tested, best.params, 'ELBO'),
  samples: Number(argv.samples),
  testIwae: boundOn(tested, best.params, { IWAE: { samples: Number(argv.samples) } }),
  particles: Number(argv.particles),
  testFiltered: filtered(tested, Number(argv.particles)),
};
