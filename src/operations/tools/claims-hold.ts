import { findOutputSchema, type SchemaLocations } from "../../config/schemas/find-output-schema.ts";
import { compileContract } from "../../scorers/output-contract.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { kindOfValue } from "../../shared/json/json-values.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CheckEnd, failed, passed, skipped } from "./check-end.ts";
import type { ToolCheckDetail } from "./tool-check.ts";
import { answeredSamples, type TriedSample } from "./try-samples.ts";

const maxDetails = 10;

/** `claims-hold`: a result that names a schema matches it. */
export function claimsHold(tried: readonly TriedSample[], locations: SchemaLocations): CheckEnd {
  const claims = answeredSamples(tried).filter(({ data }) => Object.hasOwn(data, "schema_version"));
  if (claims.length === 0) return skipped("no result has a schema_version");
  const mismatches = claims.map(({ sample, data }) => ({ sample, found: findMismatches(data, locations) }));
  const broken = mismatches.filter(({ found }) => found.reasons.length > 0);
  const [first] = broken;
  if (first === undefined)
    return passed(`${pluralize(claims.length, "result")} match${claims.length === 1 ? "es" : ""} the schema`);
  return failed(
    `${broken.length} of ${pluralize(claims.length, "result")} ${broken.length === 1 ? "does" : "do"} not match the schema`,
    first.found.hint,
    broken
      .flatMap(({ sample, found }) => found.reasons.map((reason) => ({ input: sample.name, ...reason })))
      .slice(0, maxDetails),
  );
}

interface Mismatches {
  reasons: Pick<ToolCheckDetail, "place" | "reason">[];
  hint: string;
}

function findMismatches(data: JsonObject, locations: SchemaLocations): Mismatches {
  const { schema_version: name } = data;
  const place = "/schema_version";
  if (typeof name !== "string")
    return {
      reasons: [{ place, reason: `is ${kindOfValue(name)}, expected a schema name` }],
      hint: "set a schema name, or omit schema_version",
    };
  try {
    const compiled = compileContract({
      markers: [],
      maxChars: null,
      schemas: [findOutputSchema(name, locations)],
    });
    if (!compiled.ok) return { reasons: [{ place, reason: compiled.problem }], hint: "fix the schema" };
    const reasons = compiled
      .check(JSON.stringify(data))
      .map(({ pointer, reason }) => ({ place: pointer, reason }));
    return { reasons, hint: `return what ${name} requires, or omit schema_version` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { reasons: [{ place, reason: error.message }], hint: error.hint ?? "fix the schema" };
  }
}
