// Appendix C.2: diagnosis of diseases from symptoms (QMR-DT), with a network for each disease.
import {
  argv,
  Bernoulli,
  cache,
  loadData,
  loadQMRGraph,
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
  Vector,
} from 'waymark';

const graph = loadQMRGraph('qmr_graph.json');
const data = loadData<boolean[][]>('qmr_data.json');

const noisyOrProb = ({ parents, leakProb }: QmrGraph['symptomNodes'][number], diseases: boolean[]) => {
  const noneActs = product(map(({ index, prob }) => (diseases[index] ? 1 - prob : 1), parents));
  return 1 - (1 - leakProb) * noneActs;
};

const predictNet = cache((i: number) =>
  nn.mlp(graph.numSymptoms, [{ nOut: 1, activation: sigmoid }], `predictNet_${i}`),
);
const predictDiseaseProb = (symptoms: boolean[], i: number) => T.get(nneval(predictNet(i), Vector(symptoms)), 0);

const model = () => {
  mapData({ data, batchSize: 20 }, (symptoms) => {
    const diseases = mapIndexed(
      (i, { priorProb }) =>
        sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: predictDiseaseProb(symptoms, i) }) }),
      graph.diseaseNodes,
    );
    mapData({ data: symptoms }, (symptom, i) => {
      observe(Bernoulli({ p: noisyOrProb(graph.symptomNodes[i], diseases) }), symptom);
    });
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.02 } } });
