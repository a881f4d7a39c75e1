/** The words of what is pointed at in a chart, beside the pointer. */
import type { Picture } from '../sandbox/painter.ts';
import { element } from './dom.ts';

type Mark = Picture['marks'][number];

/** Pixels by which a mark may be missed: dots are small. */
const NEAR = 6;

/** Pixels between the pointer and the words. */
const GAP = 12;

/** Shows words over an image of the picture while something in it is pointed at. */
export function tipOver(image: HTMLImageElement, { marks, width }: Picture): HTMLElement {
  const tip = element('div', { class: 'chart-tip', 'aria-hidden': 'true', hidden: true });
  image.addEventListener('pointermove', ({ offsetX, offsetY, clientX, clientY }) => {
    const scale = width / (image.clientWidth || width);
    const mark = markAt(marks, offsetX * scale, offsetY * scale);
    tip.hidden = mark === undefined;
    if (mark === undefined) return;
    tip.textContent = mark.text.replaceAll('; ', '\n');
    // On the side where there is room.
    const isRight = clientX > innerWidth / 2;
    tip.style.left = isRight ? '' : `${clientX + GAP}px`;
    tip.style.right = isRight ? `${innerWidth - clientX + GAP}px` : '';
    tip.style.top = `${Math.min(clientY + GAP, innerHeight - tip.offsetHeight - GAP)}px`;
  });
  image.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });
  return tip;
}

/** The smallest of those that the point is on; else one that it is near. */
function markAt(marks: readonly Mark[], x: number, y: number): Mark | undefined {
  return smallestAt(marks, x, y, 0) ?? smallestAt(marks, x, y, NEAR);
}

function smallestAt(marks: readonly Mark[], x: number, y: number, near: number): Mark | undefined {
  let found: Mark | undefined;
  for (const mark of marks) {
    const isOn =
      x >= mark.x - near && x <= mark.x + mark.width + near && y >= mark.y - near && y <= mark.y + mark.height + near;
    if (isOn && (found === undefined || mark.width * mark.height < found.width * found.height)) found = mark;
  }
  return found;
}
