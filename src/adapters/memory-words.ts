import type { SkillExit } from "../contract/sandbox.ts";

/**
 * Whether a process that failed says that it was refused memory. A cap of the kernel sends no signal: an allocation
 * fails, and every runtime dies of that in its own words. Only these tell it from a crash, so they are believed where a
 * cap is in force and the process ended abnormally. A skill that only pretends gains nothing: both count against it.
 */
export function ranOutOfMemory({ code, refusal }: SkillExit, stderrTail: string): boolean {
  if (code === 0 || refusal !== undefined) return false;
  return memoryWords.test(stderrTail.slice(-lastWordsChars));
}

/** Node writes a page of stack after the words that matter. */
const lastWordsChars = 8192;

const memoryWords = new RegExp(
  [
    /^\S*MemoryError\b/, // Python, and what numpy makes of it
    /std::bad_alloc/, // C++
    /\bout of memory\b/, // Node, Go, Ruby, Perl
    /ERR_MEMORY_ALLOCATION_FAILED|Array buffer allocation failed/, // Node
    /\bOutOfMemoryError\b/, // Java
    /memory allocation of \d+ bytes failed/, // Rust
    /\bCannot allocate memory\b|\bENOMEM\b/, // the C library, shells
  ]
    .map(({ source }) => source)
    .join("|"),
  "im",
);
