/**
 * Autocovariances of a chain. The sum for one lag takes as long as the chain; that for all lags at once takes little longer,
 * by the fast Fourier transform: they are the transform of the power spectrum (Wiener and Khinchin).
 */

/** Σ (xᵢ − m)(xᵢ₊ₗ − m) / n for one lag l. */
export function autocovariance(x: Float64Array, lag: number, mean: number): number {
  let sum = 0;
  for (let i = 0; i + lag < x.length; i++) sum += (x[i] - mean) * (x[i + lag] - mean);
  return sum / x.length;
}

/** The same for all lags from 0 on, of chains of one length. */
export function autocovariances(chains: readonly Float64Array[], means: readonly number[]): Float64Array[] {
  // As many zeros again, so that the end of the chain does not meet its beginning.
  let size = 1;
  while (size < 2 * chains[0].length) size *= 2;
  const roots = rootsOfUnity(size);
  return chains.map((chain, i) => ofChain(chain, means[i], size, roots));
}

function ofChain(x: Float64Array, mean: number, size: number, roots: Roots): Float64Array {
  const n = x.length;
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  for (let i = 0; i < n; i++) real[i] = x[i] - mean;
  transform(real, imaginary, roots);
  for (let i = 0; i < size; i++) {
    real[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
    imaginary[i] = 0;
  }
  // The spectrum is even, so that its transform there and back are the same but for the factor.
  transform(real, imaginary, roots);
  return real.subarray(0, n).map((sum) => sum / (size * n));
}

/** The powers of e^(−2πi / size), up to half of them: the others are these with the other sign. */
interface Roots {
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

function rootsOfUnity(size: number): Roots {
  const cosines = new Float64Array(size / 2);
  const sines = new Float64Array(size / 2);
  for (let k = 0; k < size / 2; k++) {
    const angle = (2 * Math.PI * k) / size;
    cosines[k] = Math.cos(angle);
    sines[k] = -Math.sin(angle);
  }
  return { cosines, sines };
}

/** The discrete Fourier transform, in place, of a number of values that is a power of two (Cooley and Tukey). */
function transform(real: Float64Array, imaginary: Float64Array, { cosines, sines }: Roots): void {
  const size = real.length;
  reverseBits(real, imaginary);
  for (let half = 1; half < size; half *= 2) {
    const stride = size / (2 * half);
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = start + k;
        const b = a + half;
        const c = cosines[k * stride];
        const s = sines[k * stride];
        const re = real[b] * c - imaginary[b] * s;
        const im = real[b] * s + imaginary[b] * c;
        real[b] = real[a] - re;
        imaginary[b] = imaginary[a] - im;
        real[a] += re;
        imaginary[a] += im;
      }
    }
  }
}

/** Exchanges each value with the one whose index has the same bits in the other order. */
function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    const re = real[i];
    const im = imaginary[i];
    real[i] = real[j];
    imaginary[i] = imaginary[j];
    real[j] = re;
    imaginary[j] = im;
  }
}
