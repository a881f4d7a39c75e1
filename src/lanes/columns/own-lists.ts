/** Lists of each execution's own that are changed at places which differ (`counts[k]++`), or put in order. */
import { OneByOne } from '../../runtime/signals.ts';
import { Column, differs, isNumeric, isTruth } from './column.ts';
import { meter } from './meter.ts';
import type { OwnObject } from './own-object.ts';
import { checkUnseen } from './roaming-objects.ts';
import { comparingAlone, sortLanes } from './sorting.ts';

/** Items of a longer list are not changed all at once: each is copied, which takes longer than executions take alone. */
const MOST_PLACES = 8;

/** Whether a key is a place in a list that differs between executions. */
export const isPlace = (target: object, key: unknown): key is Column =>
  key instanceof Column && !key.isTruth && Array.isArray(target) && target.length <= MOST_PLACES;

/** Sets the item at each one's own place in a list of numbers, or of truth values; false if it is no such list, or some have another place. */
export function setAt(own: OwnObject, target: object, index: Column, value: unknown): boolean {
  if (!isNumeric(value)) return false;
  const { length } = target as readonly unknown[];
  const places = index.data;
  const isUsed = new Uint8Array(length);
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    if (!(place >= 0 && place < length) || (place | 0) !== place) return false;
    isUsed[place] = 1;
  }
  const asTruth = isTruth(value);
  const open = Array.from(isUsed, (used, k) => (used === 1 ? own.openNumbers(String(k), asTruth) : null));
  if (open.includes(undefined)) return false;
  const given = value instanceof Column ? value.data : Number(value);
  const slots = open.find((one) => one)?.places ?? null;
  const numbers = open.map((one) => one?.numbers.array);
  for (let i = 0; i < places.length; i++)
    numbers[places[i]]![slots === null ? i : slots[i]] = typeof given === 'number' ? given : given[i];
  meter.values(places.length * (1 + open.filter((one) => one !== null).length));
  open.forEach((one, k) => {
    if (one) own.closeNumbers(String(k), one.numbers, asTruth);
  });
  return true;
}

/** `list.sort(compare)` and `list.reverse()` as statements. */
export function arranged(own: OwnObject, list: unknown[], name: PropertyKey, compare: unknown): unknown[] {
  checkUnseen(own.proxy);
  if (!own.isApart && (name === 'reverse' || !list.some(differs))) {
    const items = name === 'reverse' ? [...list].reverse() : comparingAlone(() => [...list].sort(compare as never));
    items.forEach((item, k) => {
      list[k] = item;
    });
    return list;
  }
  const sorted = own.isApart ? undefined : sortLanes([...list], compare);
  if (sorted === undefined) {
    own.each((one) => comparingAlone(() => arrangedAlone(one as unknown[], name, compare)), []);
    return list;
  }
  sorted.forEach((item, k) => {
    list[k] = item;
  });
  return list;
}

function arrangedAlone(list: unknown[], name: PropertyKey, compare: unknown): undefined {
  if (name === 'reverse') list.reverse();
  else if (name === 'sort') list.sort(compare as never);
  else throw new OneByOne('host', `${String(name)} puts a list in order`);
}
