import type { ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { type Annotation, workflowCommand } from "../text/github-command.ts";
import { shortenMiddle } from "../text/text-width.ts";
import {
  describeChange,
  diffName,
  diffTitle,
  metricStyle,
  subjectNoun,
  subjectTitle,
  verdictWord,
} from "./diff-words.ts";

const maxAnnotations = 10;
const maxNamed = 5;

type Words = Pick<Annotation, "title" | "message">;

/** The workflow commands that show on GitHub what has regressed, is gone, could not be compared, or failed another gate. */
export function* diffAnnotations(diff: ReportDiff): Generator<string> {
  const level = diff.exitCode === 0 ? "warning" : "error";
  const found: Words[] = [
    ...diff.skills.filter(({ verdict }) => verdict === "regressed").map(verdictNote),
    ...diff.removed.map((name) => ({
      title: `${subjectNoun([name]) !== "skill" ? subjectTitle(name) : name.name} was removed`,
      message: `${subjectTitle(name)} is in ${diff.labels.a} and not in ${diff.labels.b}`,
    })),
    ...diff.skills.filter(({ verdict }) => verdict === "not-comparable").map(verdictNote),
    ...otherFailures(diff).map((failure) => ({ title: "report diff failed", message: failure })),
  ];
  for (const words of found.slice(0, maxAnnotations)) yield workflowCommand({ level, ...words });
  const rest = found.length - maxAnnotations;
  if (rest > 0)
    yield workflowCommand({
      level: "notice",
      title: "report diff",
      message: `and ${pluralize(rest, "more finding")}; see the comparison`,
    });
}

/** What no annotation of a skill says already. */
function otherFailures({ failures, skills, removed }: ReportDiff): string[] {
  const known = new Set([
    ...skills
      .filter(({ verdict }) => verdict === "regressed")
      .map((skill) => `${diffTitle(skill)} regressed`),
    ...removed.map((name) => `${subjectTitle(name)} was removed`),
  ]);
  return failures.filter((failure) => !known.has(failure) && !failure.includes(" is not comparable: "));
}

function verdictNote(skill: SkillDiff): Words {
  const { verdict, main, reason, paired } = skill;
  const names = paired.broken.map((taskId) => shortenMiddle(taskId, 80));
  const tasks = names.length === 0 ? "" : `; broken: ${listed(names, maxNamed)}`;
  const word = verdict === "regressed" ? verdict : `is ${verdictWord(verdict)}`;
  const change =
    verdict === "regressed"
      ? `${metricStyle(main).title.toLowerCase()} ${describeChange(main, skill.metrics[main])}, `
      : "";
  return {
    title:
      subjectNoun([skill]) !== "skill" || verdict !== "regressed"
        ? `${diffTitle(skill)} ${word}`
        : `${diffName(skill)} ${word} on ${skill.suite}`,
    message: `${change}${reason}${tasks}`,
  };
}
