import { condition, type Distribution, factor, Infer, uniformDraw } from 'waymark';

const worlds = [0, 1, 2, 3, 4, 5];
const meanings: Record<string, (n: number) => boolean> = {
  none: (n) => n === 0,
  some: (n) => n > 0,
  most: (n) => n > 2,
  all: (n) => n === 5,
};
const literal = (word: string) =>
  Infer({
    method: 'enumerate',
    model: () => {
      const world = uniformDraw(worlds);
      condition(meanings[word](world));
      return world;
    },
  });
const speaker = (world: number): Distribution<string> =>
  Infer({
    method: 'enumerate',
    model: () => {
      const word = uniformDraw(Object.keys(meanings));
      factor(2 * literal(word).score(world));
      return word;
    },
  });
export default Infer({
  method: 'enumerate',
  model: () => {
    const world = uniformDraw(worlds);
    factor(speaker(world).score('some'));
    return world;
  },
});
