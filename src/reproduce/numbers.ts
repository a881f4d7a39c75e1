/** Numbers as the report writes them. */

/** With a true minus sign, and commas between thousands. */
export function figure(x: number, digits = 0): string {
  const [whole, fraction] = Math.abs(x).toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return x < 0 && Number(x.toFixed(digits)) !== 0 ? `−${shown}` : shown;
}

export const percent = (share: number, digits = 0): string => `${figure(100 * share, digits)} %`;

/** A mean and how far the true one may be from it. */
export const withReach = ({ mean, high }: { mean: number; high: number }, digits = 0): string =>
  high === mean ? figure(mean, digits) : `${figure(mean, digits)} ± ${figure(high - mean, digits)}`;
