/** How strongly a share is shaded, 0 to 5: only nothing is 0, and only all is 5. */
export function shadeOf(count: number, of: number): number {
  if (count <= 0 || of <= 0) return 0;
  return count >= of ? 5 : 1 + Math.floor((count / of) * 4);
}
