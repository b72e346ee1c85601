import type { SubjectReport } from "../contract/document.ts";
import type { Fact } from "../contract/view.ts";
import { counted, grouped, percent } from "../report/text/format-numbers.ts";
import { metricFact } from "../report/view/metric-fact.ts";

interface ModelDetails {
  passAtK: Record<string, number> | null;
  passHatK: Record<string, number> | null;
  retryCost: { value: number | null; numerator: number; denominator: number; unknownCalls: number };
  cost: { inputTokens: number; outputTokens: number; costUsd: number | null };
  withoutVerdict: number;
}

/** Facts about a real model besides its rates. */
export function modelFacts(subject: SubjectReport): Fact[] {
  const { details } = subject;
  const { isScripted, ...rest } = details;
  const {
    passAtK = null,
    passHatK = null,
    retryCost,
    cost,
    withoutVerdict = 0,
  } = rest as unknown as Partial<ModelDetails>;
  if (isScripted !== false || cost === undefined) return [];
  return [
    ...curve("pass@k", "at least one of k trials passes", passAtK),
    ...curve("pass^k", "all of k trials pass", passHatK),
    ...(retryCost?.value == null
      ? []
      : [
          {
            label: "Tokens spent on retries",
            value: retryCost.value,
            unit: "share" as const,
            note: [
              `${grouped(retryCost.numerator)} of ${counted(retryCost.denominator, "token")}`,
              ...(retryCost.unknownCalls === 0
                ? []
                : [`${counted(retryCost.unknownCalls, "call")} of unknown usage`]),
            ].join(", "),
          },
        ]),
    {
      label: "Cost",
      value: cost.costUsd,
      unit: "usd",
      note: `${grouped(cost.inputTokens)} tokens in, ${grouped(cost.outputTokens)} out`,
    },
    metricFact(subject, "latencyP50Ms", "P50 latency", "ms"),
    metricFact(subject, "latencyP95Ms", "P95 latency", "ms"),
    ...(withoutVerdict === 0
      ? []
      : [
          {
            label: "Without a verdict",
            value: withoutVerdict,
            unit: "count" as const,
            note: "trials in no figure",
            tone: "warn" as const,
          },
        ]),
  ];
}

/** One trial says nothing that the pass rate does not say. */
function curve(label: string, note: string, values: Record<string, number> | null): Fact[] {
  const points = Object.entries(values ?? {});
  if (points.length < 2) return [];
  return [{ label, value: points.map(([k, value]) => `${k}: ${percent(value)}`).join(", "), note }];
}
