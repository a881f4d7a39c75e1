// A Gaussian process by hand: kernel, Cholesky, and length scales weighed by the data.
import { factor, gamma, Infer } from 'waymark';

const xs = [0, 0.5, 1.1, 1.9, 2.4, 3.2];
const ys = [0.1, 0.6, 0.9, 0.8, 0.5, -0.2];
const cholesky = (a: number[][]) => {
  const l = a.map((row) => row.map(() => 0));
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j <= i; j++) {
      let s = a[i][j];
      for (let k = 0; k < j; k++) s -= l[i][k] * l[j][k];
      l[i][j] = i === j ? Math.sqrt(s) : s / l[j][j];
    }
  }
  return l;
};
const model = () => {
  const scale = gamma({ shape: 2, scale: 0.5 });
  const noise = gamma({ shape: 1, scale: 0.2 }) + 0.01;
  const k = xs.map((a, i) => xs.map((b, j) => Math.exp(-((a - b) ** 2) / (2 * scale * scale)) + (i === j ? noise : 0)));
  const l = cholesky(k);
  const z: number[] = [];
  ys.forEach((y, i) => {
    z.push((y - z.reduce((s, zj, j) => s + l[i][j] * zj, 0)) / l[i][i]);
  });
  factor(z.reduce((s, v, i) => s - 0.5 * v * v - Math.log(l[i][i]), 0));
  return scale < 1;
};
export default Infer({ method: 'importance', samples: 1000, model });
