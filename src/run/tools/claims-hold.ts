import { countOf } from "../../base/count-of.ts";
import { kindOfValue } from "../../base/kind-of-value.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolCheckDetail } from "../../contract/tool-check.ts";
import { UserError } from "../../contract/user-error.ts";
import { compileContract } from "../../scorers/output-contract.ts";
import { findOutputSchema, type SchemaPlaces } from "../../spec/find-output-schema.ts";
import { type CheckEnd, failed, passed, skipped } from "./check-end.ts";
import { answersOf, type TriedSample } from "./try-samples.ts";

const mostDetails = 10;

/** `claims-hold`: a result that names a schema fits it. */
export function claimsHold(tried: readonly TriedSample[], places: SchemaPlaces): CheckEnd {
  const claims = answersOf(tried).filter(({ data }) => Object.hasOwn(data, "schema_version"));
  if (claims.length === 0) return skipped("no result names a schema_version");
  const misfits = claims.map(({ sample, data }) => ({ sample, found: misfitsOf(data, places) }));
  const broken = misfits.filter(({ found }) => found.reasons.length > 0);
  const [first] = broken;
  if (first === undefined)
    return passed(
      `${countOf(claims.length, "result")} fit${claims.length === 1 ? "s" : ""} the schema named`,
    );
  return failed(
    `${broken.length} of ${countOf(claims.length, "result")} ${broken.length === 1 ? "breaks its" : "break their"} claim`,
    first.found.hint,
    broken
      .flatMap(({ sample, found }) => found.reasons.map((reason) => ({ input: sample.name, ...reason })))
      .slice(0, mostDetails),
  );
}

interface Misfits {
  reasons: Pick<ToolCheckDetail, "place" | "reason">[];
  hint: string;
}

function misfitsOf(data: JsonObject, places: SchemaPlaces): Misfits {
  const { schema_version: name } = data;
  const place = "/schema_version";
  if (typeof name !== "string")
    return {
      reasons: [{ place, reason: `is ${kindOfValue(name)}, and a schema has a name` }],
      hint: "name a schema, or leave schema_version out",
    };
  try {
    const compiled = compileContract({
      markers: [],
      maxChars: null,
      schemas: [findOutputSchema(name, places)],
    });
    if (!compiled.ok) return { reasons: [{ place, reason: compiled.problem }], hint: "mend the schema" };
    const reasons = compiled
      .check(JSON.stringify(data))
      .map(({ pointer, reason }) => ({ place: pointer, reason }));
    return { reasons, hint: `return what ${name} asks for, or leave schema_version out` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { reasons: [{ place, reason: error.message }], hint: error.hint ?? "mend the schema" };
  }
}
