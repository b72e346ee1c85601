/**
 * Whether a `/`-separated path fits a pattern: `*` and `?` stay within one name, `**` matches any number of names.
 * Never a regular expression, so that no untrusted pattern can make it slow.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const names = pattern.replace(/^\.\//, "").replace(/\/$/, "").split("/");
  return fits(names, path.split("/"), "**", matchesName);
}

/** Whether a text without structure fits a pattern: `*` stands for any text, `?` for one character. */
export function matchesName(pattern: string, name: string): boolean {
  return fits([...pattern], [...name], "*", (wanted, char) => wanted === "?" || wanted === char);
}

/** Matches items one by one and, where they differ, lets the last star take one item more. */
function fits(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  isSame: (wanted: string, item: string) => boolean,
): boolean {
  let wanted = 0;
  let at = 0;
  let lastStar = -1;
  let lastStarAt = 0;
  while (at < items.length) {
    const part = pattern[wanted];
    if (part === star) {
      lastStar = wanted++;
      lastStarAt = at;
    } else if (part !== undefined && isSame(part, items[at] as string)) {
      wanted++;
      at++;
    } else if (lastStar !== -1) {
      wanted = lastStar + 1;
      at = ++lastStarAt;
    } else {
      return false;
    }
  }
  while (pattern[wanted] === star) wanted++;
  return wanted === pattern.length;
}
