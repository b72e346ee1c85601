import { openSync, readdirSync, readFileSync } from "node:fs";

/**
 * The streams of a child in which every descriptor that we were started with ourselves is closed off: those of a CI
 * system or of `make` would otherwise reach each skill.
 */
export function withoutInherited(streams: readonly Stream[]): Stream[] {
  const covered: Stream[] = [...streams];
  for (const descriptor of inheritedDescriptors()) {
    if (descriptor < streams.length && streams[descriptor] !== "ignore") continue;
    while (covered.length < descriptor) covered.push("ignore");
    covered[descriptor] = nullDevice();
  }
  return covered;
}

/** As `spawn` takes them; beyond the first three "ignore" leaves what is there. */
export type Stream = "pipe" | "ignore" | number;

let inherited: number[] | null = null;
let opened: number | null = null;

/** Looked up once: whatever Node opens later closes by itself when a child is executed. */
function inheritedDescriptors(): number[] {
  if (inherited === null) {
    const limit = openFilesLimit();
    inherited = listDescriptors().filter((n) => n > 2 && n < limit && staysOpen(n));
  }
  return inherited;
}

function nullDevice(): number {
  opened ??= openSync("/dev/null", "r+");
  return opened;
}

/** A descriptor above the limit cannot be replaced: it was opened before the limit was lowered. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fdinfo").map(Number);
  } catch {
    return []; // This system does not show them.
  }
}

const closesOnExecute = 0o2000000;

function staysOpen(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"));
    return flags !== null && (Number.parseInt(flags[1] ?? "", 8) & closesOnExecute) === 0;
  } catch {
    return false; // It was the descriptor that the list was read with.
  }
}
