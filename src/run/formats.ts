import type { AgentReporter } from "../contract/agent-report.ts";
import type { Format } from "../contract/format.ts";
import type { PlanReporter } from "../contract/planbench-report.ts";
import type { Reporter } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import type { TriggerReporter } from "../contract/trigger-report.ts";
import { UserError } from "../contract/user-error.ts";
import { legacyShape, type ShapeKind } from "./legacy/shapes.ts";

/** How each format is written. Loaded where it is asked for: a page of HTML is of no use to who reads JSON. */
export async function formatFor(format: ReportFormat, kind: ShapeKind | null): Promise<Format> {
  if (format === "json") return (await import("../reporters/document-json.ts")).jsonFormat;
  if (format === "ndjson") return (await import("../reporters/document-ndjson.ts")).ndjsonFormat;
  if (kind === null)
    throw new UserError("usage", `${format} is not written for this level yet`, {
      hint: "formats of every level: json, ndjson",
    });
  const { extension } = files[format];
  const writer = await writers[kind][format]();
  return {
    format,
    extension,
    render(report, cells) {
      const shape = legacyShape(report, cells);
      if (shape?.kind !== kind) throw new Error(`a report of ${shape?.kind} is written as one of ${kind}`);
      switch (shape.kind) {
        case "unit":
          return (writer as Reporter).render(shape.report, shape.cellsOf);
        case "trigger":
          return (writer as TriggerReporter).render(shape.report, shape.queriesOf);
        case "agent":
          return (writer as AgentReporter).render(shape.report, shape.results);
        case "planbench":
          return (writer as PlanReporter).render(shape.report, shape.results);
        default:
          return shape satisfies never;
      }
    },
  };
}

/** The formats by name, each once. */
export function formatsFor(names: readonly ReportFormat[], kind: ShapeKind | null): Promise<Format[]> {
  return Promise.all([...new Set(names)].map((name) => formatFor(name, kind)));
}

type LegacyFormat = Exclude<ReportFormat, "json" | "ndjson">;
type LegacyWriter = Reporter | TriggerReporter | AgentReporter | PlanReporter;

const files: Record<LegacyFormat, { extension: string }> = {
  markdown: { extension: "md" },
  html: { extension: "html" },
  csv: { extension: "csv" },
  junit: { extension: "xml" },
};

const writers: Record<ShapeKind, Record<LegacyFormat, () => Promise<LegacyWriter>>> = {
  unit: {
    markdown: async () => (await import("../reporters/markdown.ts")).markdownReporter,
    html: async () => (await import("../reporters/html.ts")).htmlReporter,
    csv: async () => (await import("../reporters/csv.ts")).csvReporter,
    junit: async () => (await import("../reporters/junit.ts")).junitReporter,
  },
  trigger: {
    markdown: async () => (await import("../reporters/trigger-markdown.ts")).triggerMarkdownReporter,
    html: async () => (await import("../reporters/trigger-html.ts")).triggerHtmlReporter,
    csv: async () => (await import("../reporters/trigger-csv.ts")).triggerCsvReporter,
    junit: async () => (await import("../reporters/trigger-junit.ts")).triggerJunitReporter,
  },
  agent: {
    markdown: async () => (await import("../reporters/agent/agent-markdown.ts")).agentMarkdownReporter,
    html: async () => (await import("../reporters/agent/agent-html.ts")).agentHtmlReporter,
    csv: async () => (await import("../reporters/agent/agent-csv.ts")).agentCsvReporter,
    junit: async () => (await import("../reporters/agent/agent-junit.ts")).agentJunitReporter,
  },
  planbench: {
    markdown: async () => (await import("../reporters/planbench/plan-markdown.ts")).planMarkdownReporter,
    html: async () => (await import("../reporters/planbench/plan-html.ts")).planHtmlReporter,
    csv: async () => (await import("../reporters/planbench/plan-csv.ts")).planCsvReporter,
    junit: async () => (await import("../reporters/planbench/plan-junit.ts")).planJunitReporter,
  },
};
