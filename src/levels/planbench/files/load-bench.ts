import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { faultIn, readCaseDocument } from "../../../cases/files/case-document.ts";
import { closedShape, fitShape } from "../../../cases/files/fit-shape.ts";
import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import { findNamedSchema } from "../../../config/schemas/find-output-schema.ts";
import type { ContractSchema } from "../../../contract/output-contract.ts";
import { BenchFile, type LoadedBench } from "../../../contract/planbench-file.ts";
import { nearPath } from "../../../shared/files/paths.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { splitCommand } from "../../../shared/text/command-line.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { UserError } from "../../../shared/user-error.ts";
import { checkTarget } from "./check-target.ts";
import { type BenchLocations, findBench } from "./find-bench.ts";
import { loadBenchCases } from "./load-bench-cases.ts";

/** Reads a bench, named by path or id, and checks all that can be checked without its skills. Default: `quick`. */
export async function loadBench(named: string | null, locations: BenchLocations): Promise<LoadedBench> {
  const { path, warnings: found } = await findBench(named, locations);
  const shown = nearPath(path, locations.cwd);
  const document = await readCaseDocument(path, shown, "benchmark-invalid");
  const warnings = [...found];
  const report: ProblemReporter = {
    fault: (steps, problem, hint) => faultIn(document, steps, problem, { code: "benchmark-invalid", hint }),
    warn: (message) => warnings.push(message),
    locate: (steps) => ({ shown, jsonPath: jsonPath(steps) }),
  };
  const { cases, ...file } = fitShape(document.value, shape, report, { hintFor });
  const dir = dirname(path);
  checkTarget(file.target, report);
  const schema = loadBenchSchema(file.schema, dir, { cwd: locations.cwd, report });
  return {
    file,
    path,
    shown,
    dir,
    schema: { ...schema, digest: sha256(canonicalJson(schema.schema)) },
    skillRoots: file.skill_roots?.map((root, n) => rootAt(resolve(dir, root), n, report)) ?? null,
    executor: executorCommand(file.executor, dir, report),
    cases: await loadBenchCases(cases, { route: file.route, schema: schema.schema }, report),
    warnings,
  };
}

const shape = closedShape(BenchFile);

function hintFor(steps: readonly PropertyKey[]): string | undefined {
  return steps.at(-1) === "route" ? "a route is auto, or { forced: <skill> }" : undefined;
}

function rootAt(path: string, n: number, report: ProblemReporter): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  throw report.fault(["skill_roots", n], found === undefined ? "does not exist" : "is not a folder");
}

/** The command that executes plans, split without a shell; its paths are relative to the bench. */
function executorCommand(
  written: string | readonly string[] | null,
  dir: string,
  report: ProblemReporter,
): LoadedBench["executor"] {
  if (written === null) return null;
  const [program, ...rest] = commandWords(written, report);
  if (program === undefined || program === "") throw report.fault(["executor"], "does not name a program");
  if (!program.includes("/")) return [program, ...rest];
  const path = resolve(dir, program);
  if (!existsSync(path)) throw report.fault(["executor"], `names ${program}, which does not exist`);
  return [path, ...rest];
}

function commandWords(written: string | readonly string[], report: ProblemReporter): readonly string[] {
  if (typeof written !== "string") return written;
  try {
    return splitCommand(written);
  } catch (error) {
    throw report.fault(["executor"], (error as Error).message);
  }
}

/** The schema that every plan of a bench fits: a file beside the bench, or a name. */
function loadBenchSchema(
  written: string,
  dir: string,
  { cwd, report }: { cwd: string; report: ProblemReporter },
): ContractSchema & { path: string | null } {
  try {
    const { schema, check, path } = findNamedSchema(written, dir, { given: {}, skillDir: dir, cwd });
    return { name: schemaName(written), schema, check, path };
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
function schemaName(written: string): string {
  const file = written.slice(written.lastIndexOf("/") + 1);
  return file.replace(/(?:\.schema)?\.json$/, "");
}
