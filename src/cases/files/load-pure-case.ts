import type * as z from "zod";
import { mergeMaps } from "../../config/merge-config.ts";
import { PureCaseFile, type PureKind, pureKinds } from "../../contract/agent-case.ts";
import type { LoadedPureCase } from "../../contract/loaded-case.ts";
import { loneMember, type PureInput, type PureTest, pureShapes } from "../../contract/pure-case.ts";
import { lexicalProblem } from "../../shared/files/path-guard.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { filesRead, pathAsks } from "./case-asks.ts";
import type { CaseFiles } from "./case-files.ts";
import { checkId } from "./case-identity.ts";
import { closedShape, fitShape, type Shape } from "./fit-shape.ts";
import type { CaseReporter, RawCase } from "./raw-case.ts";

const headShape = closedShape(PureCaseFile);
const shapes = Object.fromEntries(
  pureKinds.map((kind) => [
    kind,
    { input: closedShape(pureShapes[kind].input), expect: closedShape(pureShapes[kind].expect) },
  ]),
) as unknown as Record<PureKind, { input: Shape<z.ZodType>; expect: Shape<z.ZodType> }>;

export function isPureKind(kind: unknown): kind is PureKind {
  return pureKinds.includes(kind as PureKind);
}

/** Checks a case for a pure function: what it gives and expects must be what that function takes and gives. */
export function loadPureCase(
  raw: RawCase,
  { report, kind, suite, files }: { report: CaseReporter; kind: PureKind; suite: string; files: CaseFiles },
): LoadedPureCase {
  const whole = mergeMaps(defaultsFor(raw), raw.written as JsonObject);
  const file = fitShape(whole, headShape, report);
  checkId(file.id, raw, report);
  if (file.level !== undefined && file.level !== "L0")
    throw report.fault(["level"], `is ${file.level}, but a case of kind ${kind} runs no agent`, "remove it");
  if (file.input === undefined) throw report.fault(["input"], "is required and missing");
  const alone = typeof file.input === "string" ? loneMember[kind] : undefined;
  const given = alone === undefined ? file.input : { [alone]: file.input };
  const input = fitShape(given, shapes[kind].input, report, { at: ["input"] });
  const test = {
    kind,
    input,
    expect: fitShape(file.expect, shapes[kind].expect, report, { at: ["expect"] }),
  } as PureTest;
  if (test.kind === "path") checkTree(test.input.tree ?? {}, report);
  const { document, steps, dir } = raw;
  return {
    kind,
    case: file,
    test,
    suite,
    digest: sha256(canonicalJson(test)),
    requestDigest: sha256(canonicalJson({ kind, input })),
    level: "L0",
    file: document.file,
    shown: document.shown,
    jsonPath: jsonPath(steps),
    dir,
    files: filesRead(raw, report),
    asks: pathAsks(`${suite}/${file.id}`, raw, files, report),
  };
}

/** A tree is made on the disk: nothing of it may lie outside. */
function checkTree(tree: NonNullable<PureInput<"path">["tree"]>, report: CaseReporter): void {
  for (const [path, entry] of Object.entries(tree)) {
    const steps = ["input", "tree", path];
    const problem = lexicalProblem(path);
    if (problem !== null) throw report.fault(steps, problem);
    const linked = isMap(entry) && "hard_link" in entry ? entry.hard_link : null;
    if (linked !== null && (!Object.hasOwn(tree, linked) || typeof tree[linked] !== "string"))
      throw report.fault([...steps, "hard_link"], "does not name a file of the tree");
  }
}

const headKeys = ["title", "tags", "repeat", "min_pass_rate"];

/** Most of what a suite says about its cases is about agents, unless it says that they are of such a kind. */
function defaultsFor({ defaults }: RawCase): JsonObject {
  if (defaults === null || isPureKind(defaults.value.kind)) return defaults?.value ?? {};
  return Object.fromEntries(Object.entries(defaults.value).filter(([key]) => headKeys.includes(key)));
}
