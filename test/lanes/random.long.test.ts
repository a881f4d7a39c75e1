import { describeLaw } from './random-law.ts';

describeLaw(50_000, 300);
