import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import type { Route } from "../../../contract/conversation-case.ts";
import type { BenchCase, LoadedBenchCase, Stratum } from "../../../contract/planbench-file.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";
import type { JsonSchema } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { schemaFault } from "../../../shared/json/schema-fault.ts";

/** What the bench says for its cases. */
interface BenchWords {
  route: Route;
  schema: JsonSchema;
}

/** The cases of a bench with what holds for each. */
export async function loadBenchCases(
  cases: readonly BenchCase[],
  bench: BenchWords,
  report: ProblemReporter,
): Promise<LoadedBenchCase[]> {
  const indexById = new Map<string, number>();
  const loaded: LoadedBenchCase[] = [];
  for (const [index, one] of cases.entries()) {
    const first = indexById.get(one.id);
    if (first !== undefined)
      throw report.fault(
        ["cases", index, "id"],
        `is a duplicate: $.cases[${first}] has the same id ${one.id}`,
        "rename one",
      );
    indexById.set(one.id, index);
    checkSource(one, index, report);
    loaded.push(await loadCase(one, index, bench, report));
  }
  return loaded;
}

async function loadCase(
  one: BenchCase,
  index: number,
  { route: defaultSource, schema }: BenchWords,
  report: ProblemReporter,
): Promise<LoadedBenchCase> {
  const route = one.route ?? defaultSource;
  const overlay = one.overlay === undefined ? undefined : withDraft(schema, one.overlay);
  const fault = overlay === undefined ? null : await schemaFault(overlay);
  if (fault !== null)
    throw report.fault(["cases", index, "overlay", ...fault.steps], `cannot be used: ${fault.reason}`);
  // These affect only how a case is shown and chosen, and what a script replies instead of a model.
  const { title: _title, tags: _tags, mock: _mock, ...decisive } = one;
  return {
    ...one,
    route,
    overlay,
    index,
    stratum: caseStratum(one, route),
    digest: sha256(canonicalJson({ ...decisive, route, overlay })),
  };
}

function caseStratum({ source }: BenchCase, route: Route): Stratum {
  if (source !== "model") return "fixed";
  return route === "auto" ? "routed" : "forced";
}

const newestDraft = "https://json-schema.org/draft/2020-12/schema";

/** An overlay without a draft uses that of its base schema. */
function withDraft(schema: JsonSchema, overlay: JsonSchema): JsonSchema {
  if (!isMap(overlay) || "$schema" in overlay) return overlay;
  const draft = isMap(schema) && typeof schema.$schema === "string" ? schema.$schema : newestDraft;
  return { $schema: draft, ...overlay };
}

/** Checks that a case has the members its source needs, and none of another source. */
function checkSource(one: BenchCase, index: number, report: ProblemReporter): void {
  const { source, outputs, tool, arguments: given, mock } = one;
  const at = (member: string) => ["cases", index, member];
  if (source === "fixed" && outputs === undefined)
    throw report.fault(at("outputs"), "is required: a fixed case lists the output of each attempt");
  if (source === "local" && tool === undefined)
    throw report.fault(at("tool"), "is required: a local case names its tool, <skill>#<tool>");
  if (tool !== undefined && !/^[^#]+#[^#]+$/.test(tool))
    throw report.fault(at("tool"), "must be <skill>#<tool>", "for example doc-formatter#make_plan");
  const unread = { outputs: "fixed", tool: "local", arguments: "local", mock: "model" } as const;
  const written = { outputs, tool, arguments: given, mock };
  for (const [member, owner] of Object.entries(unread))
    if (written[member as keyof typeof written] !== undefined && source !== owner)
      throw report.fault(at(member), `is for cases with source ${owner}; this one has source ${source}`);
}
