import { dirname } from "node:path";
import { type FoundSkills, findSkills, withTokens } from "../../operations/find/find-skills.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { roundShare } from "../../shared/statistics/numbers.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { openHistory } from "../io/open-history.ts";
import { skillTable } from "../output/skill-table.ts";
import type { FindFlags } from "./find-options.ts";

/** `find`: the matching skills of a folder, best first. */
export async function findCommand(flags: FindFlags, io: CommandIo): Promise<ExitCode> {
  const { history, storePath, isTyped } = await openHistory(flags.store, io);
  await using _ = history;
  if (history === null && isTyped) io.warn(`store not found: ${storePath}; skills have no history`);
  const found = await findSkills(
    {
      cwd: io.cwd,
      skillsDir: flags.skillsDir,
      query: flags.query,
      tags: flags.tag,
      adapterType: flags.adapter,
      minCompletion: flags.minCompletion,
    },
    history,
  );
  for (const { message } of found.problems) io.warn(message);
  for (const warning of found.warnings) io.warn(warning);
  const skills = await withTokens(found.skills.slice(0, flags.limit));
  const shown = skills.map(({ dir: _, ...skill }) => ({
    ...skill,
    path: nearPath(skill.path, io.cwd),
    completionRate: roundShare(skill.completionRate),
  }));
  const problems = found.problems.map(({ path, message }) => ({ path: nearPath(path, io.cwd), message }));
  io.result(
    { skills: shown, total: found.skills.length, problems },
    skills.length === 0 ? "" : skillTable(skills, { color: io.color, width: io.width }),
  );
  reportRest(found, skills.length, flags, io);
  return 0;
}

function reportRest(found: FoundSkills, shown: number, flags: FindFlags, io: CommandIo): void {
  const { withoutHistory, skills, problems } = found;
  const dir = flags.skillsDir;
  const broken = new Set(problems.filter(({ isListed }) => !isListed).map(({ path }) => dirname(path)));
  if (broken.size > 0)
    io.note(
      `${pluralize(broken.size, "invalid skill")} left out; run \`eval-skills doctor ${dir}\` for details`,
    );
  if (withoutHistory > 0) io.note(`${pluralize(withoutHistory, "skill")} without history left out`);
  if (skills.length > shown)
    io.note(`${skills.length - shown} more; show them with --limit ${skills.length}`);
  if (skills.length === 0)
    io.note(
      withoutHistory > 0
        ? "evaluate them first: eval-skills eval --skills <path> --benchmark <id>"
        : `no skill in ${dir} matches; try fewer words or fewer filters`,
    );
}
