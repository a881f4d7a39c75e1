// Two layers of 200 coins.
import { learnNetwork } from '../belief-network.ts';

export default learnNetwork(2);
