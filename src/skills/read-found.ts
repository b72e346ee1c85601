import type { Diagnostic } from "../contract/diagnostic.ts";
import { type DescribedFolder, describeFound } from "./describe-found.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";

/** A folder that was found and read as a run reads it. */
export interface ReadFolder extends Pick<DescribedFolder, "found" | "folder" | "skill"> {
  errors: Diagnostic[];
  warnings: Diagnostic[];
}

/** Reads a folder as runs do: what can be loaded is loaded, and what is wrong is reported. */
export async function readFound(found: FoundFolder): Promise<ReadFolder> {
  const { folder, skill, diagnostics } = await describeFound(found, "lenient");
  const findings = diagnostics.list();
  return {
    found,
    folder,
    skill,
    errors: findings.filter(({ severity }) => severity === "error"),
    warnings: findings.filter(({ severity }) => severity === "warning"),
  };
}
