import { countOf } from "../../shared/text/count-of.ts";
import { changesSince, type FolderTrace, traceFolder } from "../../skills/folder/folder-trace.ts";
import { type CheckEnd, failed, passed, skipped } from "./check-end.ts";

/** Takes down a skill's folder now, and says later whether it is still the same. */
export async function watchTraces(dir: string, exclude: readonly string[]): Promise<() => Promise<CheckEnd>> {
  const before = await traceFolder(dir, exclude);
  return async () => {
    const after = before.ok ? await traceFolder(dir, exclude) : before;
    return before.ok && after.ok
      ? compared(before.trace, after.trace)
      : skipped(`the folder ${problemOf(before.ok ? after : before)}`);
  };
}

function compared(before: FolderTrace, after: FolderTrace): CheckEnd {
  const changes = changesSince(before, after);
  if (changes.length === 0) return passed("the skill folder is unchanged");
  return failed(
    `the skill folder changed: ${countOf(changes.length, "path")}`,
    "use tempfile.TemporaryDirectory(), or return the data instead of writing it",
    changes
      .slice(0, maxChanges)
      .map(({ path, change }) => ({ input: null, place: path, reason: `was ${change}` })),
  );
}

const maxChanges = 10;

function problemOf(traced: Awaited<ReturnType<typeof traceFolder>>): string {
  return traced.ok ? "" : traced.problem;
}
