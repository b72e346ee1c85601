import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import { jsonPath } from "../../base/json-path.ts";
import { type LoadedPureCase, PureCaseFile, type PureKind, pureKinds } from "../../contract/agent-case.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type PureTest, pureShapes } from "../../contract/pure-case.ts";
import { mergeMaps } from "../merge-config.ts";
import { checkId } from "./check-id.ts";
import { fitShape, shapeOf } from "./fit-shape.ts";
import type { RawCase, Teller } from "./raw-case.ts";

const headShape = shapeOf(PureCaseFile);
const shapes = Object.fromEntries(
  pureKinds.map((kind) => [
    kind,
    { input: shapeOf(pureShapes[kind].input), expect: shapeOf(pureShapes[kind].expect) },
  ]),
) as Record<PureKind, { input: ReturnType<typeof shapeOf>; expect: ReturnType<typeof shapeOf> }>;

export function isPureKind(kind: unknown): kind is PureKind {
  return pureKinds.includes(kind as PureKind);
}

/** Checks a case for a pure function: what it gives and expects must be what that function takes and gives. */
export function loadPureCase(
  raw: RawCase,
  { tell, kind, suite }: { tell: Teller; kind: PureKind; suite: string },
): LoadedPureCase {
  const whole = mergeMaps(defaultsFor(raw), raw.written as JsonObject);
  const file = fitShape(whole, headShape, tell);
  checkId(file.id, raw, tell);
  if (file.level !== undefined && file.level !== "L0")
    throw tell.fault(["level"], `is ${file.level}, and a case of kind ${kind} runs no agent`, "leave it out");
  if (file.input === undefined) throw tell.fault(["input"], "is required and missing");
  const input = fitShape(file.input, shapes[kind].input, tell, { at: ["input"] });
  const expect = fitShape(file.expect, shapes[kind].expect, tell, { at: ["expect"] });
  const { document, steps, dir } = raw;
  return {
    kind,
    case: file,
    test: { kind, input, expect } as PureTest,
    suite,
    digest: sha256(canonicalJson({ kind, input, expect })),
    level: "L0",
    file: document.file,
    shown: document.shown,
    jsonPath: jsonPath(steps),
    dir,
  };
}

const headKeys = ["title", "tags", "repeat", "min_pass_rate"];

/** Most of what a suite says about its cases is about agents, unless it says that they are of such a kind. */
function defaultsFor({ defaults }: RawCase): JsonObject {
  if (defaults === null || isPureKind(defaults.value.kind)) return defaults?.value ?? {};
  return Object.fromEntries(Object.entries(defaults.value).filter(([key]) => headKeys.includes(key)));
}
