import type { ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { type Annotation, workflowCommand } from "../text/github-command.ts";
import { shortenMiddle } from "../text/text-width.ts";
import { describeChange, diffName, diffTitle, mainMetrics, subjectNoun, subjectTitle } from "./diff-words.ts";

const maxAnnotations = 10;
const maxNamed = 5;

/** The workflow commands that show on GitHub what has regressed or is gone. */
export function* diffAnnotations(diff: ReportDiff): Generator<string> {
  const level = diff.exitCode === 0 ? "warning" : "error";
  const found: Pick<Annotation, "title" | "message">[] = [
    ...diff.skills.filter(({ verdict }) => verdict === "regressed").map(regression),
    ...diff.removed.map((name) => ({
      title: `${subjectNoun([name]) !== "skill" ? subjectTitle(name) : name.name} was removed`,
      message: `${subjectTitle(name)} is in ${diff.labels.a} and not in ${diff.labels.b}`,
    })),
  ];
  for (const words of found.slice(0, maxAnnotations)) yield workflowCommand({ level, ...words });
  const rest = found.length - maxAnnotations;
  if (rest > 0)
    yield workflowCommand({
      level: "notice",
      title: "report diff",
      message: `and ${pluralize(rest, `more ${subjectNoun([...diff.skills, ...diff.removed])}`)} that regressed or were removed`,
    });
}

function regression(skill: SkillDiff): Pick<Annotation, "title" | "message"> {
  const [main] = mainMetrics(skill);
  const { broken } = skill.paired;
  const names = broken.map((taskId) => shortenMiddle(taskId, 80));
  const tasks = broken.length === 0 ? "" : `; broken: ${listed(names, maxNamed)}`;
  return {
    title:
      subjectNoun([skill]) !== "skill"
        ? `${diffTitle(skill)} regressed`
        : `${diffName(skill)} regressed on ${skill.suite}`,
    message: `${main === "passRate" ? "pass rate" : "completion"} ${describeChange(main, skill.metrics[main])}, ${skill.reason}${tasks}`,
  };
}
