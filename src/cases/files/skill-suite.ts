import { basename, dirname, join } from "node:path";
import { realPath } from "../../shared/files/real-path.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { type CaseDocument, faultIn } from "./case-document.ts";
import { statsOf } from "./case-files.ts";
import { type CaseFolder, fileCalled } from "./case-folder.ts";
import { enclosingSkill } from "./enclosing-skill.ts";
import { foreignCases } from "./foreign-cases.ts";
import type { FoundSuite, SuiteContext } from "./found-suite.ts";
import { listedCases } from "./suite-head.ts";

/** The cases that come with a skill: `cases:` in its `eval.yaml`, and its `evals/evals.json`. */
export async function suiteOfSkill(folder: CaseFolder, { read }: SuiteContext): Promise<FoundSuite> {
  const skill = (await enclosingSkill(folder.path)) ?? { dir: folder.path, name: basename(folder.path) };
  const suite: FoundSuite = { root: realPath(folder.path), name: skill.name, cases: [], warnings: [] };
  const file = fileCalled("eval", folder);
  if (file !== null) {
    const document = await read(file);
    const cases = casesIn(document);
    suite.cases.push(...listedCases(document, cases, { defaults: null, skillDir: folder.path }));
  }
  const evals = join(folder.path, "evals", "evals.json");
  if (statsOf(evals)?.isFile() === true)
    suite.cases.push(...foreignCases(await read(evals), { ...skill, dir: folder.path }).cases);
  return suite;
}

/** A file of another tool as a suite of the skill it is about. */
export async function suiteOfForeign(document: CaseDocument): Promise<FoundSuite> {
  const context = await enclosingSkill(dirname(document.file));
  const { skill, cases } = foreignCases(document, context);
  const name = skill ?? basename(document.file).replace(/\.[^.]+$/, "");
  return { root: realPath(context?.dir ?? document.file), name, cases, warnings: [] };
}

function casesIn(document: CaseDocument) {
  const { value } = document;
  const cases = isMap(value) ? value.cases : undefined;
  if (cases === undefined || cases === null) return [];
  if (!Array.isArray(cases))
    throw faultIn(document, ["cases"], "must be a list of cases", { code: "suite-invalid" });
  return cases;
}
