import type { Diagnostics } from "../../contract/diagnostics.ts";
import { adapterTypes } from "../../contract/skill-facts.ts";
import { SkillManifest } from "../../contract/unit-skill.ts";
import { knownKeys } from "../../shared/json/known-keys.ts";
import { jsonPath, jsonPointer } from "../../shared/json/locations.ts";
import { schemaFault } from "../../shared/json/schema-fault.ts";
import { type Problem, zodProblems } from "../../shared/json/zod-problem.ts";
import { didYouMean, nearest } from "../../shared/text/nearest.ts";
import { shorten, shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import { maxReported, reportUnknownKeys, tooManyMembers, tooManyMembersMessage } from "./check-members.ts";

const known = knownKeys(SkillManifest);

/** The manifest with its defaults; null where something about it is an error. Reports everything that is wrong, each thing once. */
export function checkManifest(manifest: JsonFile, diagnostics: Diagnostics): SkillManifest | null {
  const long = tooManyMembers(manifest.value);
  if (long !== null) {
    diagnostics.add("SKU01", manifest.locate(long), `${jsonPath(long)}: ${tooManyMembersMessage}`);
    return null;
  }
  const misspelt = reportUnknownKeys(manifest, known, diagnostics);
  const read = SkillManifest.safeParse(manifest.value);
  if (read.success) return misspelt.length === 0 ? read.data : null;
  // What is missing because its key is misspelt was reported already.
  const problems = zodProblems(read.error, manifest.value).filter(
    ({ jsonPath: path }) => !misspelt.includes(path),
  );
  for (const problem of diagnostics.takeFirst(problems, maxReported))
    reportProblem(problem, manifest, diagnostics);
  return null;
}

function reportProblem(
  { steps, jsonPath: path, reason }: Problem,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): void {
  const location = manifest.locate(steps);
  const [field, ...below] = steps;
  const value =
    below.length === 0 ? (manifest.value as Record<PropertyKey, unknown>)[field ?? ""] : undefined;
  if (typeof value === "string" && (field === "id" || field === "version")) {
    const { pattern, suggestion } = wanted[field];
    const use = suggestion(value);
    diagnostics.add("SKU02", location, `${field} "${shownText(value)}" must match ${pattern}`, {
      hint: use === null ? undefined : `use ${use}`,
    });
  } else if (typeof value === "string" && field === "adapterType") {
    diagnostics.add("SKU03", location, `adapterType "${shownText(value)}" unknown`, {
      hint: nearest(value, adapterTypes) === null ? undefined : didYouMean(value, adapterTypes),
    });
  } else diagnostics.add("SKU01", location, shorten(`${path}: ${reason}`, 300));
}

const wanted = {
  id: {
    pattern: "^[a-z0-9_-]+$",
    suggestion: (id: string) =>
      shorten(id, 200)
        .toLowerCase()
        .replace(/[^a-z0-9_-]+/g, "_")
        .replace(/^_|_$/g, "") || null,
  },
  version: {
    pattern: "X.Y.Z",
    suggestion: (version: string) => {
      const [, major, minor = "0", patch = "0"] =
        /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/i.exec(version) ?? [];
      return major === undefined ? null : `${major}.${minor}.${patch}`;
    },
  },
};

/** Reports which schema of a manifest does not compile, and whether all do. */
export async function checkSchemas(manifest: JsonFile, diagnostics: Diagnostics): Promise<boolean> {
  const fields = manifest.value as Record<string, unknown>;
  let isFine = true;
  for (const field of ["inputSchema", "outputSchema"]) {
    const fault = Object.hasOwn(fields, field) ? await schemaFault(fields[field]) : null;
    if (fault === null) continue;
    isFine = false;
    diagnostics.add(
      "SKU05",
      manifest.locate([field, ...fault.steps]),
      `${field}${jsonPointer(fault.steps)}: ${fault.reason}`,
    );
  }
  return isFine;
}
