import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import { findNamedSchema } from "../../../config/schemas/find-output-schema.ts";
import type { JsonSchema } from "../../../shared/json/json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { UserError } from "../../../shared/user-error.ts";

/** The schema that every plan of a bench fits: a file beside the bench, or a name. */
export function loadBenchSchema(
  written: string,
  dir: string,
  { cwd, report }: { cwd: string; report: ProblemReporter },
): { name: string; value: JsonSchema } {
  try {
    const { schema } = findNamedSchema(written, dir, { given: {}, skillDir: dir, cwd });
    return { name: nameOf(written), value: schema };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (error.code !== "schema-not-found")
      throw report.fault(["schema"], `cannot be used: ${error.message}`, error.hint ?? undefined);
    throw report.fault(
      ["schema"],
      `names ${shownText(written, 200)}, which is neither a file next to the bench nor a known schema`,
      `paths are relative to the bench; a name is looked up as schemas/<name>.schema.json next to it, in the current folder, and in the package (${planSchema})`,
    );
  }
}

const planSchema = "ah32.plan.v1";

/** `ah32.plan.v1` for `schemas/ah32.plan.v1.schema.json`. */
function nameOf(written: string): string {
  const file = written.slice(written.lastIndexOf("/") + 1);
  return file.replace(/(?:\.schema)?\.json$/, "");
}
