import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import type { Cell } from "../../contract/cell.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import { benchSuite } from "../../contract/planbench-report.ts";
import type { ChosenSkills } from "./bench-skills.ts";
import { planScorer } from "./plan-scorer.ts";

/** One sample of a case. */
export interface BenchJob {
  case: LoadedBenchCase;
  /** From 1. */
  sample: number;
  chosen: ChosenSkills;
  /** Who makes its plans: `mock`, a model, a service; null where a case brings them along. */
  target: { id: string; identity: Json } | null;
  cell: Cell;
}

/** What samples of one bench have in common. */
export interface BenchFacts {
  bench: LoadedBench;
  samples: number;
  maxRepairs: number;
  /** All that decides what the executor does, its files among it; null where there is none. */
  executorIdentity: Json;
}

/** Sample by sample, case by case: a run that is cut short has seen every case before any case twice. */
export function benchJobs(
  cases: readonly Omit<BenchJob, "sample" | "cell">[],
  facts: BenchFacts,
): BenchJob[] {
  const jobs: BenchJob[] = [];
  for (let sample = 1; sample <= facts.samples; sample++)
    for (const known of cases) {
      const job = { ...known, sample };
      jobs.push({ ...job, cell: cellOf(job, facts, jobs.length) });
    }
  return jobs;
}

/** What decides how an attempt is judged and how many there may be, by the keys of the bench. */
export function parametersOf({ bench, maxRepairs, executorIdentity: executor }: BenchFacts): JsonObject {
  const { markers, max_chars = null, timeout_ms } = bench.file;
  return { markers, max_chars, timeout_ms, max_repairs: maxRepairs, executor };
}

function cellOf(job: Omit<BenchJob, "cell">, facts: BenchFacts, position: number): Cell {
  const { bench } = facts;
  const { id, digest, input, tags, overlay } = job.case;
  const suiteId = benchSuite(bench.file.id);
  const { skills } = job.chosen;
  const key = sha256(
    canonicalJson({
      suite: suiteId,
      case: { id, digest },
      schema: bench.schema.digest,
      overlay: overlay ?? null,
      skills,
      prompts: job.chosen.prompts,
      model: job.target,
      parameters: parametersOf(facts),
      sample: job.sample,
    }),
  );
  return {
    key,
    position,
    suiteId,
    skill: { id: subjectOf(job), digest: sha256(canonicalJson(skills)) },
    task: {
      task: { id, inputData: input, expectedOutput: { type: "planbench" }, tags, weight: 1 },
      digest,
      scorer: planScorer,
      scorerDigest: sha256("planbench"),
    },
    trial: job.sample,
    deadlineMs: bench.file.timeout_ms,
  };
}

/** Who is tested, as the store and `history` name it: strata are never counted together there either. */
export function subjectOf({ case: { stratum }, target }: Pick<BenchJob, "case" | "target">): string {
  if (target === null) return "fixed";
  return stratum === "forced" ? `${target.id} (forced)` : target.id;
}
