import { holdRows } from './hold.ts';

holdRows(['columns', 'recordings', 'plain']);
