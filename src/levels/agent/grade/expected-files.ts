import { posix } from "node:path";
import { fault, fileOfCase, isSameContent } from "../../../cases/grade/case-files.ts";
import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { Expect } from "../../../contract/agent-case.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { isSameHash } from "./recorded-text.ts";
import type { RunView } from "./run-view.ts";

/** Whether the files in the workspace are as the case expects them. */
export function checkFiles(view: RunView): CheckResult[] {
  return view.case.expect.files.map((expected) => {
    const check = { name: `file ${expected.path}`, asked: true, exercised: true };
    const unseen = !view.run.hasWorkspace
      ? "the workspace does not exist"
      : view.isCutShort
        ? "the run ended early"
        : null;
    if (unseen !== null) return { ...check, unseen, faults: [] };
    return { ...check, ...judgeFile(view, expected) };
  });
}

function judgeFile(
  view: RunView,
  { path, exists, sha256: hash, equals, contains_all = [] }: Expect["files"][number],
): Pick<CheckResult, "faults" | "unseen"> {
  const shown = shownText(path);
  const fail = (message: string, expected: Json, actual: Json) => ({
    unseen: null,
    faults: [fault([view.finished], message, expected, actual)],
  });
  // However it is written: `./a`, `a//b`.
  const place = posix.join("sandbox", path).replace(/\/$/, "");
  const bytes = view.run.read(place);
  const kind = bytes === null ? view.run.kindAt(place) : "file";
  if (!exists) {
    const message = `${shown} exists in the workspace but must not`;
    return kind === null ? { unseen: null, faults: [] } : fail(message, { exists }, "exists");
  }
  if (kind === null) return fail(`${shown} is not in the workspace`, { exists }, "missing");
  if (kind === "other") return fail(`${shown} is not a regular file`, { exists }, "not a regular file");
  if (bytes === null) return { unseen: `${shown} cannot be read`, faults: [] };
  if (hash !== undefined && !isSameHash(hash, sha256(bytes)))
    return fail(`${shown} has an unexpected hash`, hash, sha256(bytes));
  if (equals !== undefined) {
    const wanted = fileOfCase(view.loaded.expectedFiles, equals);
    if (wanted === null) return { unseen: `${equals} of the case cannot be read`, faults: [] };
    if (!isSameContent(wanted, Buffer.from(bytes)))
      return fail(`${shown} differs from ${shownText(equals)}`, equals, sha256(bytes));
  }
  const text = Buffer.from(bytes).toString("utf8").normalize();
  const missing = contains_all.filter((words) => !text.includes(words.normalize()));
  if (missing.length === 0) return { unseen: null, faults: [] };
  const words = missing.slice(0, 5).map((each) => shownText(JSON.stringify(each)));
  return fail(`${shown} lacks ${words.join(", ")}`, { contains_all }, shownLines(text, 200));
}
