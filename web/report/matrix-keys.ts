/** More subjects than this are left out of the matrix. */
export const maxColumns = 200;

export function closestField(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-entry]") : null;
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** One stop for the tab key; from there the arrow keys lead on, past fields that are empty. */
export function moveFocus(event: KeyboardEvent): void {
  const from = closestField(event.target);
  const step = steps[event.key];
  const box = event.currentTarget;
  if (from === null || step === undefined || !(box instanceof Element)) return;
  event.preventDefault();
  let [row = 0, column = 0] = (from.dataset.at ?? "").split(",").map(Number);
  for (let tries = 0; tries < maxColumns; tries++) {
    row += step[0];
    column += step[1];
    const next = box.querySelector<HTMLElement>(`[data-at="${row},${column}"]`);
    if (next === null) continue;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    return;
  }
}
