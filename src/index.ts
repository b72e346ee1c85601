// The public list, name by name. What nobody has asked for stays inside.
export { readJsonLines } from "./base/json-lines.ts";
export type { Adapter, CallLimits } from "./contract/adapter.ts";
export type { Benchmark } from "./contract/benchmark.ts";
export type { CauseCode, HarnessFault, SkillFault } from "./contract/cause.ts";
export type { Containment } from "./contract/containment.ts";
export type { Listener, RunEvent } from "./contract/event.ts";
export type { Json, JsonObject, JsonSchema } from "./contract/json.ts";
export type {
  ChatMessage,
  Model,
  ModelCall,
  ModelFault,
  ModelOutcome,
  ModelReply,
  ModelRequest,
} from "./contract/model.ts";
export type { Evidence, Outcome, Usage } from "./contract/outcome.ts";
export type { CellReader, Report, Reporter, SkillReport } from "./contract/report.ts";
export type { Attempt, CellResult } from "./contract/result.ts";
export type { Sandbox, SkillCommand, SkillProcess } from "./contract/sandbox.ts";
export type { SandboxLevel } from "./contract/sandbox-level.ts";
export type { Score } from "./contract/score.ts";
export type { Answer, Scorer } from "./contract/scorer.ts";
export type { ScorerType } from "./contract/scorer-type.ts";
export type {
  FinishedReport,
  Pruned,
  PruneOptions,
  ReportFilter,
  RunHistory,
  Store,
  StoredFigures,
  StoredReport,
  StoredRun,
} from "./contract/store.ts";
export type { Task } from "./contract/task.ts";
export type { AdapterConfig, SkillManifest, UnitSkill } from "./contract/unit-skill.ts";
export { type ErrorCode, UserError } from "./contract/user-error.ts";
export type { Verdict } from "./contract/verdict.ts";
export { type EvaluateOptions, type Evaluation, evaluate } from "./run/evaluate.ts";
export type { RunWishes } from "./run/request.ts";
