import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import { jsonPath } from "../../base/json-path.ts";
import { nearPath } from "../../base/near-path.ts";
import { BenchFile, type LoadedBench } from "../../contract/planbench-file.ts";
import { faultIn, readCaseDocument } from "../cases/case-document.ts";
import { fitShape, shapeOf } from "../cases/fit-shape.ts";
import type { Teller } from "../cases/raw-case.ts";
import { checkTarget } from "./check-target.ts";
import { executorCommand } from "./executor-command.ts";
import { type BenchPlaces, findBench } from "./find-bench.ts";
import { loadBenchCases } from "./load-bench-cases.ts";
import { loadBenchSchema } from "./load-bench-schema.ts";

/** Reads a bench, named by path or id, and checks all that can be checked without its skills. Without a wish: `quick`. */
export async function loadBench(wish: string | null, places: BenchPlaces): Promise<LoadedBench> {
  const { path, warnings: found } = await findBench(wish, places);
  const shown = nearPath(path, places.cwd);
  const document = await readCaseDocument(path, shown, "benchmark-invalid");
  const warnings = [...found];
  const tell: Teller = {
    fault: (steps, problem, hint) => faultIn(document, steps, problem, { code: "benchmark-invalid", hint }),
    warn: (message) => warnings.push(message),
    placeOf: (steps) => ({ shown, jsonPath: jsonPath(steps) }),
  };
  const { cases, ...file } = fitShape(document.value, shape, tell, { hintFor });
  const dir = dirname(path);
  checkTarget(file.target, tell);
  const schema = loadBenchSchema(file.schema, dir, { cwd: places.cwd, tell });
  return {
    file,
    path,
    shown,
    dir,
    schema: { ...schema, digest: sha256(canonicalJson(schema.value)) },
    skillRoots: file.skill_roots?.map((root, n) => rootAt(resolve(dir, root), n, tell)) ?? null,
    executor: executorCommand(file.executor, dir, tell),
    cases: await loadBenchCases(cases, { route: file.route, schema: schema.value }, tell),
    warnings,
  };
}

const shape = shapeOf(BenchFile);

function hintFor(steps: readonly PropertyKey[]): string | undefined {
  return steps.at(-1) === "route" ? "a route is auto, or { forced: <skill> }" : undefined;
}

function rootAt(path: string, n: number, tell: Teller): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  throw tell.fault(["skill_roots", n], found === undefined ? "is not there" : "is no folder");
}
