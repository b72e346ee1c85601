import { isPlaceholder } from "../skills/secrets/credentials.ts";
import { readCommands, type TextBlock } from "./blocks.ts";
import { isDependency, isTestMaterial } from "./file-locations.ts";
import { sightings, toMatch } from "./found.ts";
import { commandPolarity } from "./polarity.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** Secrets handed over on a command line, where every process of the machine can read them. */
export const secretInArgv: AuditRule = {
  id: "AUD143",
  name: "secret-in-argv",
  severity: "medium",
  message: "a secret is passed on a command line, where other processes and logs can read it",
  help: "Pass it in the environment, in a file only its owner can read, or on stdin.",
  *find({ files }) {
    for (const file of files) {
      if (file.kind === "data" || isDependency(file.path) || isTestMaterial(file.path)) continue;
      if (file.text === null || !anyShape.test(file.text)) continue;
      const shapes = file.kind === "code" && file.language !== "shell" ? inPrograms : inShells;
      for (const block of readCommands(file))
        for (const shape of shapes) yield* handedOver(file, block, shape);
    }
  },
};

const flag =
  "--(?:password|passwd|token|api-?key|api_key|secret|secret-key|access-token|auth-token|client-secret|private-key)";

/** A cheap pre-check of a file for any of the shapes below. */
const anyShape =
  /--(?:pass|token|api|secret|access|auth|client|private)|sshpass|mysql|docker|curl|:\/\/[\w.-]{1,80}:/i;

/** The value is the one group of each. */
const inShells: readonly RegExp[] = [
  new RegExp(`\\s${flag}(?:=|\\s{1,4})(?!-)["']?([^\\s"'|;&)]{4,200})`, "gi"),
  /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"'|;&]{3,200})/g,
  /\bmysql(?:dump|admin)?\s[^|;&]{0,120}\s-p["']?([^\s"'|;&-][^\s"'|;&]{2,200})/g,
  /\bdocker\s{1,4}login\s[^|;&]{0,160}\s-p\s{1,4}["']?([^\s"'|;&]{3,200})/g,
  /\bcurl\s[^|;&]{0,200}\s(?:-u|--user)\s{1,4}["']?[\w.@${}-]{1,80}:([^\s"'|;&]{3,200})/g,
  /\b(?:curl|wget|git|pip|npm|psql)\s[^|;&]{0,200}[a-z+]{2,12}:\/\/[\w.-]{1,80}:([^\s"'@/|;&]{3,200})@/g,
];

/** An item in a list of arguments; where an option is declared, a keyword follows instead. */
const inPrograms: readonly RegExp[] = [
  new RegExp(
    `\\[[^\\]]{0,200}["']${flag}["']\\s{0,4},\\s{0,4}(?!["']-)([\\w"'$.{}()]{1,80})\\s{0,4}[,\\]]`,
    "gi",
  ),
];

function* handedOver(file: AuditedFile, block: TextBlock, shape: RegExp): Generator<Match> {
  for (const sighting of sightings([block], [{ pattern: shape }])) {
    const { words, index } = sighting;
    if (file.kind === "prose" && !isCommand(block, index)) continue;
    if (commandPolarity(block, index) !== "requested") continue;
    shape.lastIndex = 0;
    const value = shape.exec(words)?.[1] ?? "";
    shape.lastIndex = 0;
    const isInProgram = shapeIsOfPrograms(shape);
    const isVariable = isInProgram || /^\$/.test(value);
    if (!isVariable && isPlaceholder(value)) continue;
    // A variable that somebody's own shell expands is in no file.
    if (isVariable) yield toMatch(sighting, isInProgram ? {} : { severity: "low" });
    else yield toMatch(sighting, { evidence: words.replace(value, `${value.slice(0, 2)}…`) });
  }
}

function shapeIsOfPrograms(shape: RegExp): boolean {
  return inPrograms.includes(shape);
}

/** Whether this index of a text is in a fence or between backticks. */
function isCommand({ text, lines }: TextBlock, index: number): boolean {
  return lines[0]?.isCode === true || text.slice(0, index).split("`").length % 2 === 0;
}
