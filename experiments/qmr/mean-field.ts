// Section 6.2: parameters of their own for the causes of each case. The guide knows nothing of other cases.
import { Bernoulli, mapIndexed, param, sample, sigmoid, T } from 'waymark';
import { graph, learn } from './diagnosis.ts';

const { history } = learn(() => {
  // Without a name it belongs to the place where it is declared: here, to the case.
  const predicted = sigmoid(param({ dims: [graph.numDiseases, 1] }));
  return mapIndexed(
    (i, { priorProb }) => sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: T.get(predicted, i) }) }),
    graph.diseaseNodes,
  );
});

export default { history };
