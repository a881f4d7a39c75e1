import { describeLaw } from './random-law.ts';

describeLaw(50_000, 300);
describeLaw(50_000, 300, true);
