import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { faultIn, readCaseDocument } from "../../../cases/files/case-document.ts";
import { fitShape, shapeOf } from "../../../cases/files/fit-shape.ts";
import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import { BenchFile, type LoadedBench } from "../../../contract/planbench-file.ts";
import { nearPath } from "../../../shared/files/near-path.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";
import { jsonPath } from "../../../shared/json/json-path.ts";
import { checkTarget } from "./check-target.ts";
import { executorCommand } from "./executor-command.ts";
import { type BenchPlaces, findBench } from "./find-bench.ts";
import { loadBenchCases } from "./load-bench-cases.ts";
import { loadBenchSchema } from "./load-bench-schema.ts";

/** Reads a bench, named by path or id, and checks all that can be checked without its skills. Default: `quick`. */
export async function loadBench(named: string | null, places: BenchPlaces): Promise<LoadedBench> {
  const { path, warnings: found } = await findBench(named, places);
  const shown = nearPath(path, places.cwd);
  const document = await readCaseDocument(path, shown, "benchmark-invalid");
  const warnings = [...found];
  const report: ProblemReporter = {
    fault: (steps, problem, hint) => faultIn(document, steps, problem, { code: "benchmark-invalid", hint }),
    warn: (message) => warnings.push(message),
    placeOf: (steps) => ({ shown, jsonPath: jsonPath(steps) }),
  };
  const { cases, ...file } = fitShape(document.value, shape, report, { hintFor });
  const dir = dirname(path);
  checkTarget(file.target, report);
  const schema = loadBenchSchema(file.schema, dir, { cwd: places.cwd, report });
  return {
    file,
    path,
    shown,
    dir,
    schema: { ...schema, digest: sha256(canonicalJson(schema.value)) },
    skillRoots: file.skill_roots?.map((root, n) => rootAt(resolve(dir, root), n, report)) ?? null,
    executor: executorCommand(file.executor, dir, report),
    cases: await loadBenchCases(cases, { route: file.route, schema: schema.value }, report),
    warnings,
  };
}

const shape = shapeOf(BenchFile);

function hintFor(steps: readonly PropertyKey[]): string | undefined {
  return steps.at(-1) === "route" ? "a route is auto, or { forced: <skill> }" : undefined;
}

function rootAt(path: string, n: number, report: ProblemReporter): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  throw report.fault(["skill_roots", n], found === undefined ? "does not exist" : "is not a folder");
}
