/** A moment as people read it, `1 March 2026, 07:24 UTC`; as it was written where it is no time. */
export function describeTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = time.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${day}, ${time.toISOString().slice(11, 16)} UTC`;
}
