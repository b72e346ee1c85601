import { subjectName } from "../../contract/cell.ts";
import type { CellColumn } from "../../contract/format.ts";
import { cellReason, statusWords } from "./cell-words.ts";
import { quarantineWords } from "./quarantine-words.ts";
import { describeReach } from "./run-facts.ts";

/** The columns of cells that every level has, in the order they are shown and written in. */
export const commonColumns: readonly CellColumn[] = [
  { id: "level", label: "Level", isFilter: true, isHidden: true, level: null, value: (cell) => cell.level },
  { id: "suite", label: "Suite", isFilter: true, level: null, value: (cell) => cell.suite },
  { id: "subject", label: "Subject", isFilter: true, level: null, value: subjectName },
  { id: "caseId", label: "Case", level: null, value: (cell) => cell.caseId },
  { id: "trial", label: "Trial", unit: "count", level: null, value: (cell) => cell.trial },
  { id: "status", label: "Status", isFilter: true, level: null, value: (cell) => cell.status },
  { id: "ended", label: "Ended", isHidden: true, level: null, value: statusWords },
  {
    id: "attempts",
    label: "Attempts",
    unit: "count",
    isHidden: true,
    level: null,
    value: (cell) => cell.attempts.length,
  },
  { id: "score", label: "Score", unit: "score", level: null, value: (cell) => cell.score },
  { id: "cause", label: "Cause", isFilter: true, isHidden: true, level: null, value: (cell) => cell.cause },
  { id: "reason", label: "Reason", level: null, value: cellReason },
  { id: "latencyMs", label: "Latency", unit: "ms", level: null, value: (cell) => cell.latencyMs },
  { id: "costUsd", label: "Cost", unit: "usd", level: null, value: (cell) => cell.costUsd },
  {
    id: "promptTokens",
    label: "Prompt tokens",
    unit: "count",
    isHidden: true,
    level: null,
    value: ({ usage }) => usage?.promptTokens ?? null,
  },
  {
    id: "completionTokens",
    label: "Completion tokens",
    unit: "count",
    isHidden: true,
    level: null,
    value: ({ usage }) => usage?.completionTokens ?? null,
  },
  {
    id: "totalTokens",
    label: "Tokens",
    unit: "count",
    isHidden: true,
    level: null,
    value: ({ usage }) => usage?.totalTokens ?? null,
  },
  { id: "judge", label: "Judge", isHidden: true, level: null, value: ({ judge }) => judge?.model ?? null },
  {
    id: "warnings",
    label: "Warnings",
    isHidden: true,
    level: null,
    value: ({ warnings }) => warnings.join("\n"),
  },
  {
    id: "quarantine",
    label: "Quarantine",
    isFilter: true,
    isHidden: true,
    level: null,
    value: ({ quarantine }) => (quarantine === undefined ? null : quarantineWords(quarantine)),
  },
  { id: "skillId", label: "Skill", isHidden: true, level: null, value: (cell) => cell.skillId },
  { id: "model", label: "Model", isHidden: true, level: null, value: (cell) => cell.model },
  { id: "arm", label: "Arm", isHidden: true, level: null, value: (cell) => cell.arm },
  {
    id: "containment",
    label: "Containment",
    isHidden: true,
    level: null,
    value: ({ containment }) => (containment === null ? null : describeReach(containment)),
  },
  { id: "finishedAt", label: "Finished", isHidden: true, level: null, value: (cell) => cell.finishedAt },
  { id: "caseDigest", label: "Case digest", isHidden: true, level: null, value: (cell) => cell.caseDigest },
  { id: "key", label: "Key", isHidden: true, level: null, value: (cell) => cell.key },
];
