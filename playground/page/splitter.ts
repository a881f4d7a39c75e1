/** The line between program and results, moved by pointer or arrow keys. */

const NARROWEST = 20;
const WIDEST = 80;

export function startSplitter(line: HTMLElement, changed: () => void): void {
  const main = line.parentElement as HTMLElement;
  const set = (percent: number) => {
    const share = Math.min(WIDEST, Math.max(NARROWEST, percent));
    main.style.setProperty('--split', `${share}%`);
    line.setAttribute('aria-valuenow', String(Math.round(share)));
  };
  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    const { left, width } = main.getBoundingClientRect();
    const move = (at: PointerEvent) => set(((at.clientX - left) / width) * 100);
    line.addEventListener('pointermove', move);
    line.addEventListener(
      'lostpointercapture',
      () => {
        line.removeEventListener('pointermove', move);
        changed();
      },
      { once: true },
    );
  });
  line.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(Number(line.getAttribute('aria-valuenow')) + step);
    changed();
  });
}
