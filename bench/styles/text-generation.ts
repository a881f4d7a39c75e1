// Words out of a table of what follows what, until the end.
import { categorical, Infer } from 'waymark';

const follows: Record<string, { vs: string[]; ps: number[] }> = {
  start: { vs: ['the', 'a'], ps: [0.6, 0.4] },
  the: { vs: ['cat', 'dog', 'old'], ps: [0.4, 0.4, 0.2] },
  a: { vs: ['cat', 'dog'], ps: [0.5, 0.5] },
  old: { vs: ['cat', 'dog', 'old'], ps: [0.4, 0.4, 0.2] },
  cat: { vs: ['sleeps', 'end'], ps: [0.7, 0.3] },
  dog: { vs: ['barks', 'end'], ps: [0.7, 0.3] },
  sleeps: { vs: ['end'], ps: [1] },
  barks: { vs: ['end'], ps: [1] },
};
const model = () => {
  const words: string[] = [];
  let word = 'start';
  while (word !== 'end') {
    word = categorical(follows[word]);
    words.push(word);
  }
  return words.length;
};
export default Infer({ method: 'forward', samples: 2000, model });
