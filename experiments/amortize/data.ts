// What the problems of amortised inference are held to: where reference draws are, if they are there.
import { argv } from 'waymark';

const folder = (name: string): string | null => (argv[name] === undefined ? null : String(argv[name]));
const [sbibm, posteriordb] = ['sbibm', 'posteriordb'].map(folder);

const there = (name: string, place: string | null): string =>
  `${name} ${place === null ? 'are not there' : 'are there'}`;

export default {
  sbibm,
  posteriordb,
  description:
    'A hidden Markov model and a normal mean have exact posteriors; other programs are held to data that they make up themselves. ' +
    `${there('Reference draws of sbibm', sbibm)}, ${there('those of posteriordb', posteriordb)}.`,
};
