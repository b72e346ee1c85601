import { posix } from "node:path";
import { fault, fileOfCase, isSameContent } from "../../../cases/grade/case-files.ts";
import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { Expect } from "../../../contract/agent-case.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";
import { fitsPart } from "../../../shared/json/json-values.ts";
import { matchInThread } from "../../../shared/json/match-in-thread.ts";
import { readJsonPath, valueAtSteps } from "../../../shared/json/read-json-path.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { isSameHash } from "./recorded-text.ts";
import type { RunView } from "./run-view.ts";

/** Whether the files in the workspace are as the case expects them. */
export async function checkFiles(view: RunView): Promise<CheckResult[]> {
  const checks: CheckResult[] = [];
  for (const expected of view.case.expect.files) {
    const check = { name: `file ${expected.path}`, isRequired: true, exercised: true };
    const unseen = !view.run.hasWorkspace
      ? "the workspace does not exist"
      : view.isCutShort
        ? "the run ended early"
        : null;
    if (unseen !== null) checks.push({ ...check, unseen, faults: [] });
    else checks.push({ ...check, ...(await judgeFile(view, expected)) });
  }
  return checks;
}

type Judged = Pick<CheckResult, "faults" | "unseen">;

async function judgeFile(
  view: RunView,
  { path, exists, sha256: hash, equals, contains_all = [], regex_match = [], json }: Expect["files"][number],
): Promise<Judged> {
  const shown = shownText(path);
  const fail = (message: string, expected: Json, actual: Json) => ({
    unseen: null,
    faults: [fault([view.finished], message, expected, actual)],
  });
  // However it is written: `./a`, `a//b`.
  const storedPath = posix.join("sandbox", path).replace(/\/$/, "");
  const bytes = view.run.read(storedPath);
  const kind = bytes === null ? view.run.kindAt(storedPath) : "file";
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
  if (missing.length > 0) {
    const words = missing.slice(0, 5).map((each) => shownText(JSON.stringify(each)));
    return fail(`${shown} lacks ${words.join(", ")}`, { contains_all }, shownLines(text, 200));
  }
  for (const written of [regex_match].flat()) {
    const { pattern, flags = "u" } = typeof written === "string" ? { pattern: written } : written;
    const end = await matchInThread({ pattern, flags, text });
    if (end.status !== "matched")
      return { unseen: `/${shownText(pattern)}/ could not be tried on ${shown}`, faults: [] };
    if (!end.isMatch)
      return fail(`${shown} does not match /${shownText(pattern)}/${flags}`, pattern, shownLines(text, 200));
  }
  return json === undefined ? { unseen: null, faults: [] } : judgeJson(json, text, { shown, fail });
}

/** The values at JSON paths; of an object those members that the case names. */
function judgeJson(
  wanted: Readonly<Record<string, Json>>,
  text: string,
  { shown, fail }: { shown: string; fail: (message: string, expected: Json, actual: Json) => Judged },
): Judged {
  const read = parseStrictJson(text);
  if (!read.ok)
    return fail(`${shown} is not JSON: ${shownText(read.problem, 200)}`, "JSON", shownLines(text, 200));
  for (const [path, value] of Object.entries(wanted)) {
    const found = valueAtSteps(read.value, readJsonPath(path) ?? []);
    if (found === undefined) return fail(`${shown} has nothing at ${shownText(path)}`, value, null);
    if (!fitsPart(value, found))
      return fail(`${shown} has another value at ${shownText(path)}`, value, found as Json);
  }
  return { unseen: null, faults: [] };
}
