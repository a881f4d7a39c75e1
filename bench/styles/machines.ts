// Jobs on machines: each goes to the one that is free first; when is all done?
import { exponential, gamma, Infer } from 'waymark';

const jobs = ['cut', 'weld', 'paint', 'pack', 'ship', 'file'];
const model = () => {
  const free = [0, 0, 0];
  const done = new Map<string, number>();
  for (const job of jobs) {
    const k = free.indexOf(Math.min(...free));
    const time = job === 'weld' ? gamma(2, 1) : exponential(1);
    free[k] += time;
    done.set(job, free[k]);
  }
  return Math.max(...done.values());
};
export default Infer({ method: 'forward', samples: 3000, model });
