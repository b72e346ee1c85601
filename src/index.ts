// The public API, name by name. What no user needs stays internal.

export type { Benchmark } from "./contract/benchmark.ts";
export type { VectorCache } from "./contract/cache.ts";
export type { CauseCode, HarnessFault, SkillFault } from "./contract/cause.ts";
export type { Containment } from "./contract/containment.ts";
export type {
  CaseReport,
  GateReport,
  Interval,
  MetricReport,
  ReportDocument,
  ReportFile,
  SubjectReport,
  SuiteReport,
} from "./contract/document.ts";
export type { Listener, RunEvent } from "./contract/event.ts";
export type { Diagnostic, DiagnosticSeverity, Profile } from "./contract/findings.ts";
export type { CellFilter, CellReader, Format, Rendered } from "./contract/format.ts";
export type { Judge, JudgeAnswer, JudgedSkill, JudgeQuestion } from "./contract/judge.ts";
export type { SandboxLevel } from "./contract/limits.ts";
export type {
  ChatMessage,
  Embedder,
  Embedders,
  EmbedOutcome,
  Model,
  ModelCall,
  ModelFault,
  ModelOutcome,
  ModelReply,
  ModelRequest,
  ScriptClass,
} from "./contract/model.ts";
export type { Adapter, CallLimits, Evidence, Outcome, Usage } from "./contract/outcome.ts";
export type { Attempt, CellResult, Verdict } from "./contract/result.ts";
export type {
  RoutableSkill,
  RoutedSkill,
  RouteRequest,
  Router,
  Routing,
  RoutingFilters,
  RoutingSettings,
} from "./contract/routing.ts";
export type { Sandbox, SkillCommand, SkillProcess } from "./contract/sandbox.ts";
export type { Answer, Score, Scorer } from "./contract/scorer.ts";
export type { ScorerType } from "./contract/scorer-type.ts";
export type { DescribedSkill, Skill, SkillFile, SkillSource, SkillTool } from "./contract/skill.ts";
export type { SkillKind } from "./contract/skill-facts.ts";
export type {
  FinishedReport,
  Pages,
  Pruned,
  PruneOptions,
  ReportFilter,
  ResultFilter,
  RunHistory,
  Store,
  StoredRun,
} from "./contract/store.ts";
export type { Task } from "./contract/task.ts";
export type { TelemetryEvent } from "./contract/telemetry.ts";
export type { AdapterConfig, SkillManifest, UnitSkill } from "./contract/unit-skill.ts";
export { type EvaluateOptions, type Evaluation, evaluate } from "./operations/eval/evaluate.ts";
// Choosing among skills without a model, in a program of your own.
export { openRouter, type RouterOptions } from "./routing/open-router.ts";
export type { Json, JsonObject, JsonSchema } from "./shared/json/json.ts";
export { readJsonLines } from "./shared/json/json-lines.ts";
export { type ErrorCode, UserError } from "./shared/user-error.ts";

// Skills to use rather than to measure: where they lie, and a catalog of them that sees every edit at the next use.
export {
  type Discovery,
  discoverSkills,
  type FoundFolder,
  type GivenPath,
} from "./skills/discover/discover-skills.ts";
export type { SkillConflict } from "./skills/discover/resolve-duplicates.ts";
export { type SkillRoot, type SkillRootOptions, skillRoots } from "./skills/discover/skill-roots.ts";
export { routableSkill } from "./skills/routable-skill.ts";
export {
  type CatalogOptions,
  type CatalogSnapshot,
  openCatalog,
  type SkillCatalog,
  type SkillSnapshot,
} from "./skills/skill-catalog.ts";
export { memoryCache } from "./store/memory-cache.ts";
