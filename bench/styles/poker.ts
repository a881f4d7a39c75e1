// A hand from a deck that is shuffled.
import { Infer, randomInteger } from 'waymark';

const model = () => {
  const deck = Array.from({ length: 52 }, (_, i) => i);
  const hand: number[] = [];
  for (let k = 0; k < 5; k++) {
    const at = k + randomInteger(52 - k);
    [deck[k], deck[at]] = [deck[at], deck[k]];
    hand.push(deck[k] % 13);
  }
  const counts = new Map<number, number>();
  for (const rank of hand) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return [...counts.values()].some((n) => n >= 2);
};
export default Infer({ method: 'forward', samples: 2000, model });
