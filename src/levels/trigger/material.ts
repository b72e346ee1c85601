import { resolve } from "node:path";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { readEvalFile } from "./queries/read-eval-file.ts";

/** Whether a file or folder of a skill, or one that it lies in, tells an agent what it is tested with. */
export function isEvalMaterial(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((name) => names.has(name) || endings.test(name));
}

/** Whole folders of tests, other than for a skill that is called: choosing one never needs them. */
const names: ReadonlySet<string> = new Set(["eval.yaml", "eval.yml", "evals", "tests", ".eval.jsonl"]);
/** Task files, sets of queries by the usual name, and recordings by theirs. */
const endings = /\.eval\.json$|^trigger[-_.]?sets?(?![a-z]).{0,200}\.jsonl?$|^[0-9a-f]{64}\.json$/;

/** The files with queries that a skill's `eval.yaml` imports, absolute; none where it cannot be read, which others tell. */
export async function triggerSetsOf(dir: string): Promise<string[]> {
  const folder = new SkillFolder(dir);
  const read = await readEvalFile((path) => folder.text(path), new Diagnostics("lenient", folder.name));
  const block = read?.value.triggering;
  const imports = isMap(block) && Array.isArray(block.import) ? block.import : [];
  return imports.filter((path) => typeof path === "string").map((path) => resolve(folder.dir, path));
}
