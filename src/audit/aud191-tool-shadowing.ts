import { readCommands, readParagraphs } from "./blocks.ts";
import { fileName, isDependency, isTestMaterial } from "./file-locations.ts";
import { type Sign, sightings, toMatch } from "./found.ts";
import { polarityAt } from "./polarity.ts";
import type { AuditedFile, AuditedSkill, AuditRule, Match } from "./rule.ts";

/** A skill that replaces an existing tool. */
export const toolShadowing: AuditRule = {
  id: "AUD191",
  name: "tool-shadowing",
  severity: "high",
  message: "the skill replaces a built-in tool or another skill",
  help: "Give the tool a distinct name, and let the user choose between them.",
  *find(skill) {
    yield* inDescription(skill);
    for (const file of skill.files) {
      if (file.text === null || isDependency(file.path) || isTestMaterial(file.path)) continue;
      if (file.kind === "prose") yield* inProse(file);
      if (file.kind === "code") yield* inCode(file);
      if (
        /(?:^|\/)commands\/[^/]+\.md$/.test(file.path) &&
        hostCommands.has(fileName(file.path).slice(0, -3))
      )
        yield {
          file: file.path,
          line: null,
          evidence: file.path,
          severity: "medium",
          message: "a command has the name of a built-in command",
        };
    }
  },
};

// The names by which hosts of agents know their own tools; an MCP server's `read_file` is distinguished by its server.
const builtIn =
  "Bash|Read|Write|Edit|MultiEdit|Glob|Grep|WebFetch|WebSearch|NotebookEdit|TodoWrite|ExitPlanMode|str_replace_editor|str_replace_based_edit_tool|run_terminal_cmd|apply_patch";

const claims =
  /\b(?:instead of|in place of|replac(?:es?|ing)|overrid(?:es?|ing)|supersed(?:es?|ing)|takes? (?:precedence|priority) over|shadows?)\s(?:(?:the|your|any|all|every|its)\s){0,2}(?:built-?in|native|default|standard|other|existing)\s(?:[\w`'"/-]{1,30}\s){0,2}(?:tools?|skills?|functions?)\b/gi;
const first =
  /\b(?:before|prior to|whenever|each time|every time)\s(?:you\s|the (?:agent|assistant|model)\s)?(?:us(?:e|es|ing)|call(?:s|ing)?|invok(?:e|es|ing)|run(?:s|ning)?)\s(?:any|all|every|an?other|the)\s(?:other\s)?(?:[\w`'"-]{1,30}\s)?(?:tools?|skills?|functions?)\b.{0,60}\b(?:must|always|first|call|invoke|use|run)\b/gi;
const disables =
  /\b(?:never|do not|don['’]t|must not|no longer|stop)\s(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\s(?:any\s|the\s)?(?:other|built-?in|native)\s(?:[\w`'"-]{1,30}\s)?(?:tools?|skills?)\b/gi;

const signs: readonly Sign[] = [{ pattern: claims }, { pattern: first }, { pattern: disables }];

/** What every prompt carries to the model, whether the skill is used or not. */
function* inDescription({ description, files }: AuditedSkill): Generator<Match> {
  const found = signs
    .map(({ pattern }) => description.match(pattern)?.[0])
    .find((words) => words !== undefined);
  if (found === undefined) return;
  const file = files.find(({ text }) => text?.includes(found.slice(0, 20)));
  const line = file?.lines.find(({ text }) => text.includes(found.slice(0, 20)));
  yield { file: file?.path ?? ".", line: line?.number ?? null, evidence: found };
}

/** In the instructions it only counts for who reads them: preferring one tool to another is often plain advice. */
function* inProse(file: AuditedFile): Generator<Match> {
  if (!/(?:^|\/)(?:SKILL|skill|AGENTS|CLAUDE|SYSTEM|prompt)\.md$/.test(file.path)) return;
  const sentences = readParagraphs(file).filter(({ lines }) => lines[0]?.isCode === false);
  for (const sighting of sightings(sentences, [{ pattern: claims }, { pattern: first }])) {
    const polarity =
      sighting.sign.pattern === first ? "requested" : polarityAt(sighting.block, sighting.index);
    if (polarity === "requested") yield toMatch(sighting, { severity: "low" });
  }
}

function* inCode(file: AuditedFile): Generator<Match> {
  const isShell = file.language === "shell";
  const patterns: readonly Sign[] = isShell ? shellSigns : toolSigns;
  for (const sighting of sightings(readCommands(file), patterns)) {
    const line = sighting.block.lines[0];
    if (line?.isComment === true) continue;
    if (isShell && expandsToItself(sighting.words, sighting.block.text, sighting.index)) continue;
    yield toMatch(sighting);
  }
}

const toolSigns: readonly Sign[] = [
  {
    pattern: new RegExp(
      `(?:\\.(?:tool|registerTool|addTool)\\(\\s{0,8}|@\\w{1,20}\\.tool\\(\\s{0,8}(?:name\\s{0,4}=\\s{0,4})?)["'\`](?:${builtIn})["'\`]`,
      "g",
    ),
    message: "a tool has the name of a built-in tool",
  },
];

const programs =
  "sudo|su|ssh|git|npm|npx|pip3?|curl|wget|docker|kubectl|cd|ls|cat|rm|cp|mv|gpg|aws|claude|code";
const shellSigns: readonly Sign[] = [
  {
    pattern: new RegExp(`(?:^|[\\s;&])alias\\s(?:-g\\s)?(?:${programs})=`, "g"),
    message: "redefines a trusted command",
  },
  {
    pattern: new RegExp(`^\\s{0,20}(?:function\\s)?(?:${programs})\\s{0,4}\\(\\)\\s{0,4}\\{`, "g"),
    message: "redefines a trusted command",
  },
];

/** `alias ls='ls --color'` adds to a command; it is still the same one. */
function expandsToItself(words: string, text: string, index: number): boolean {
  const name = /([\w-]+)(?:=|\s{0,4}\(\))/.exec(words)?.[1] ?? "";
  return (
    text
      .slice(index + words.length, index + words.length + 120)
      .match(new RegExp(`^["']?\\s{0,4}(?:command\\s)?${name}\\b`)) !== null
  );
}

const hostCommands = new Set([
  "help",
  "clear",
  "compact",
  "init",
  "login",
  "logout",
  "model",
  "config",
  "permissions",
  "resume",
  "mcp",
  "doctor",
  "cost",
  "memory",
  "hooks",
  "agents",
]);
