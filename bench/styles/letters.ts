// Words by a chain of letters, until the end or too long.
import { categorical, Infer } from 'waymark';

const next: Record<string, [string, number][]> = {
  '^': [
    ['b', 0.5],
    ['c', 0.5],
  ],
  a: [
    ['t', 0.4],
    ['n', 0.3],
    ['$', 0.3],
  ],
  b: [
    ['a', 0.8],
    ['$', 0.2],
  ],
  c: [['a', 1]],
  t: [
    ['$', 0.6],
    ['a', 0.4],
  ],
  n: [
    ['$', 0.5],
    ['a', 0.5],
  ],
};
const word = (): string => {
  let letters = '';
  let last = '^';
  while (letters.length < 8) {
    const options = next[last];
    last = categorical({ ps: options.map(([, p]) => p), vs: options.map(([l]) => l) });
    if (last === '$') return letters;
    letters += last;
  }
  return `${letters}…`;
};
export default Infer({ method: 'forward', samples: 3000, model: word });
