// Appendix C.2: diagnosis of diseases from symptoms (QMR-DT), with networks that see the diseases predicted before.
import {
  argv,
  Bernoulli,
  cache,
  globalStore,
  loadData,
  loadQMRGraph,
  makeGRU,
  map,
  mapData,
  mapIndexed,
  nn,
  nneval,
  Optimize,
  observe,
  product,
  type QmrGraph,
  sample,
  sigmoid,
  T,
  type Tensor,
  Vector,
  zeros,
} from 'waymark';

// What the recurrent unit remembers of the diseases before.
declare module 'waymark' {
  interface GlobalStore {
    gruHiddenState: Tensor;
  }
}

const graph = loadQMRGraph('qmr_graph.json');
const data = loadData<boolean[][]>('qmr_data.json');
const gruHiddenDim = 20;

const noisyOrProb = ({ parents, leakProb }: QmrGraph['symptomNodes'][number], diseases: boolean[]) => {
  const noneActs = product(map(({ index, prob }) => (diseases[index] ? 1 - prob : 1), parents));
  return 1 - (1 - leakProb) * noneActs;
};

const predictNet = cache((i: number) =>
  nn.mlp(graph.numSymptoms + gruHiddenDim, [{ nOut: 1, activation: sigmoid }], `predictNet_${i}`),
);
const predictDiseaseProb = (symptoms: boolean[], i: number) =>
  T.get(nneval(predictNet(i), T.concat(Vector(symptoms), globalStore.gruHiddenState)), 0);

const gru = makeGRU(gruHiddenDim, 1, 'gru');
const updateGRUState = (x: boolean) => {
  globalStore.gruHiddenState = nneval(gru, T.concat(Vector([x]), globalStore.gruHiddenState));
};

const model = () => {
  mapData({ data, batchSize: 20 }, (symptoms) => {
    globalStore.gruHiddenState = zeros([gruHiddenDim]);
    const diseases = mapIndexed((i, { priorProb }) => {
      const x = sample(Bernoulli({ p: priorProb }), {
        guide: Bernoulli({ p: predictDiseaseProb(symptoms, i) }),
      });
      updateGRUState(x);
      return x;
    }, graph.diseaseNodes);
    mapData({ data: symptoms }, (symptom, i) => {
      observe(Bernoulli({ p: noisyOrProb(graph.symptomNodes[i], diseases) }), symptom);
    });
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.01 } } });
