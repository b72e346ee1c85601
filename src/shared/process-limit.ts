let limits: string | null = null;

/**
 * A limit of this process; null where there is none, or where the system does not say. Read once, as early as possible: a
 * process that has run out of files cannot read anything.
 */
export function processLimit(name: "Max open files" | "Max address space"): number | null {
  try {
    // Not imported: pages for browsers know our errors too.
    limits ??= process.getBuiltinModule("node:fs").readFileSync("/proc/self/limits", "latin1");
  } catch {
    return null;
  }
  const found = new RegExp(`^${name}\\s+(\\d+)`, "m").exec(limits);
  return found === null ? null : Number(found[1]);
}
