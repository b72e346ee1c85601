/** Tells when the page is about to be printed and when that is over, early enough to draw it anew. */
export function onPrint(tell: (isPrinting: boolean) => void): void {
  window.addEventListener("beforeprint", () => tell(true));
  window.addEventListener("afterprint", () => tell(false));
  window.matchMedia("print").addEventListener("change", ({ matches }) => tell(matches));
}
