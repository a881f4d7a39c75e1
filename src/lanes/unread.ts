/** Lists that stand for results of which there are none: programs may hand them on, and code that looks at one ends what was done. */
const known = new WeakSet<object>();

export function unreadList(look: () => never): unknown[] {
  const list = new Proxy([], { get: look, has: look, ownKeys: look, getOwnPropertyDescriptor: look, set: look });
  known.add(list);
  return list;
}

export const isUnread = (value: unknown): boolean => typeof value === 'object' && value !== null && known.has(value);
