import { factor, flip, Infer, randomInteger, uniformDraw } from 'waymark';

type Term = { op: 'x' } | { op: 'c'; value: number } | { op: '+' | '*'; left: Term; right: Term };

const grow = (depth: number): Term => {
  if (depth >= 3 || flip(0.5)) return flip(0.6) ? { op: 'x' } : { op: 'c', value: randomInteger(5) };
  const op = uniformDraw(['+', '*'] as const);
  return { op, left: grow(depth + 1), right: grow(depth + 1) };
};

function evaluate(term: Term, x: number): number {
  switch (term.op) {
    case 'x':
      return x;
    case 'c':
      return term.value;
    case '+':
      return evaluate(term.left, x) + evaluate(term.right, x);
    default:
      return evaluate(term.left, x) * evaluate(term.right, x);
  }
}

const examples = [
  [0, 1],
  [1, 3],
  [2, 5],
  [3, 7],
];

const model = () => {
  const term = grow(0);
  for (const [x, y] of examples) factor(-Math.abs(evaluate(term, x) - y));
  return evaluate(term, 4);
};

export default Infer({ method: 'MCMC', samples: 2000, model });
