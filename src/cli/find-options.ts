import { type Command, Option } from "commander";
import type { SkillManifest } from "../contract/skill.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { withChoices } from "./known-values.ts";
import { listOf, parseChoice, parseText } from "./option-values.ts";
import { parseCount, parseRate } from "./strict-numbers.ts";

type AdapterType = AdapterType;

// Not taken from contract/skill.ts, which would load zod for `--help`; the compiler keeps the list true.
const adapterTypes = Object.keys({
  http: 0,
  subprocess: 0,
  mcp: 0,
  langchain: 0,
  custom: 0,
} satisfies Record<AdapterType, 0>) as AdapterType[];

/** What was typed after `find`. */
export interface FindFlags {
  query?: string;
  tag?: string[];
  adapter?: AdapterType;
  minCompletion?: number;
  skillsDir?: string;
  limit?: number;
  store?: string;
}

/** Declares `find`. */
export function declareFind(program: Command, start: Start): void {
  const command = declareCommand(program, "find", "Find skills and show how they did", [
    "eval-skills find",
    'eval-skills find --query "weather" --skills-dir ./skills',
    "eval-skills find --tag web --adapter http --min-completion 0.7 --limit 10",
  ]);
  const text = (flag: string) => (value: string) => parseText(value, flag);
  command
    .option("-q, --query <text>", "words, all required, in id, name, description or tags", text("--query"))
    .option("-t, --tag <tags...>", "the skill has all of these tags", listOf(text("--tag")))
    .addOption(
      withChoices(
        new Option("-a, --adapter <type>", `how it is called: ${adapterTypes.join(", ")}`).argParser(
          (value) => parseChoice(value, "--adapter", adapterTypes),
        ),
        adapterTypes,
      ),
    )
    .option(
      "--min-completion <rate>",
      "least historical completion rate, 0 to 1; drops skills without history",
      (value) => parseRate(value, "--min-completion"),
    )
    .option("--skills-dir <dir>", "folder to look in (default: ./skills)", text("--skills-dir"))
    .option("--limit <n>", "at most this many (default: 20)", (value) => parseCount(value, "--limit", 1))
    .option("--store <path>", "where runs are kept (default: ./eval-skills.db)", text("--store"));
  command.action(async () => {
    const flags = command.opts<FindFlags>();
    await start(command, async (io) => (await import("./find.ts")).findCommand(flags, io));
  });
}
