/** How many values there are in a value of JSON, itself included; past `most` they are not counted further. */
export function countValues(value: unknown, most: number): number {
  let count = 1;
  const waiting = [value];
  while (waiting.length > 0 && count <= most) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const key in next) {
      if (++count > most) break;
      waiting.push((next as Record<string, unknown>)[key]);
    }
  }
  return count;
}
