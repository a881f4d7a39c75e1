/**
 * Arrays and objects that a function of the program makes and changes (`compiler/analyse/own-objects.ts`). Each execution has one of
 * its own, and one object stands for all of them. What all executions that it belongs to change is changed at once. Where
 * only some do, on one side of a conditional, a value that was there before is changed for those; executions part where
 * afterwards there would be more in some than in others.
 */
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { Merge } from './branch.ts';
import { isDiffering, ownObjects } from './column.ts';
import { current, currentGroup, type Group, part } from './group.ts';
import { Words } from './kernel-memory.ts';

/** Where an object came to be. */
class Home {
  readonly execution = machine.execution;

  constructor(private group: Group) {}

  /** The group that is there now. */
  get here(): Group {
    this.group = this.group.passage?.group ?? this.group;
    return this.group;
  }

  /** Whether those that run now are all that the object belongs to. */
  get isHere(): boolean {
    return current.columns !== null && machine.execution === this.execution;
  }

  /** For each execution that runs now, its place among those that the object belongs to. */
  get places(): Words {
    if (current.columns === null)
      throw new OneByOne('state', 'an object is changed after the executions it belongs to');
    return currentGroup().placesIn(this.here);
  }

  /** Lets those that run now, and the others, start again in groups. */
  part(): never {
    const labels = new Uint8Array(this.here.size);
    for (const place of this.places.array) labels[place] = 1;
    current.columns!.group = this.here;
    return part(labels);
  }

  /** The value that those that run now have, and the one that the others have, as one. */
  merged(value: unknown, before: unknown): unknown {
    const { here, places } = this;
    const isTheirs = new Uint8Array(here.size);
    for (const place of places.array) isTheirs[place] = 1;
    const others = Words.of(Int32Array.from(isTheirs.keys()).filter((place) => isTheirs[place] === 0));
    return new Merge([places, others], [currentGroup(), here.below(others)], here).of([value, before]);
  }
}

/** Notes that an array or object is each execution's own; gives what stands for it. */
export function own(made: unknown): unknown {
  if (current.columns === null || isDiffering(made) || !(Array.isArray(made) || isRecord(made))) return made;
  const home = new Home(currentGroup());
  const proxy: object = new Proxy(made as Record<PropertyKey, unknown>, {
    set(target, key, value) {
      if (home.isHere) return Reflect.set(target, key, value);
      // How many there are would differ.
      if (!Object.hasOwn(target, key) || (key === 'length' && Array.isArray(target))) {
        return key === 'length' && target[key] === value ? true : home.part();
      }
      return Reflect.set(target, key, home.merged(value, target[key as string]));
    },
    deleteProperty: (target, key) => (home.isHere ? Reflect.deleteProperty(target, key) : home.part()),
    defineProperty: () => {
      throw new OneByOne('state', 'a field of an object is defined');
    },
  });
  ownObjects.add(proxy);
  return proxy;
}
