// Section 6.2: parameters of their own for the causes of each case. The guide knows nothing of other cases.
import { Bernoulli, map, sample } from 'waymark';
import { graph, learn } from './diagnosis.ts';

// A choice without a guide gets a mean-field one.
const { history } = learn(() => map(({ priorProb }) => sample(Bernoulli({ p: priorProb })), graph.diseaseNodes));

export default { history };
