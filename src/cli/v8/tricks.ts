/** The command's own tricks for V8: see `src/v8/README.md`. By themselves, since the first thread of a run loads little else. */
type Trick = 'kept-code' | 'flags' | 'wasm-tiers' | 'first-thread';

const left = new Set(process.env.WAYMARK_WITHOUT?.split(','));

export const isUsed = (trick: Trick): boolean => !left.has(trick);
