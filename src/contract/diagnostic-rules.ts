import type { DiagnosticSeverity } from "./findings.ts";

/** What is shown about a code wherever its findings are. */
export interface DiagnosticRule {
  /** How bad a breach is, by profile. */
  strict: DiagnosticSeverity;
  lenient: DiagnosticSeverity;
  /** What must hold. */
  rule: string;
  /** What fixes a breach, where the finding itself says no better. */
  hint: string;
}

type Level = "error" | "warning" | "error, lenient: warning";

function holds(level: Level, rule: string, hint: string): DiagnosticRule {
  const strict = level === "warning" ? "warning" : "error";
  return { strict, lenient: level === "error" ? "error" : "warning", rule, hint };
}

/** Every finding of `doctor`. Codes are stable for ever: people's CI reads them. */
export const diagnosticRules = {
  // Folders.
  SKD01: holds("error", "a given path is a skill", "check the path, or run `eval-skills create`"),
  SKD02: holds("error", "skill.json is valid JSON without duplicate keys", "fix the syntax"),
  SKD03: holds("error", "a manifest declares its kind", "add adapterType, or schema_version ah32.skill.v1"),
  SKD04: holds("error", "an id is unique within a root", "change one of the ids"),
  SKD05: holds("warning", "an id is not shadowed by another root", "remove one of the two, or rename it"),
  SKD06: holds(
    "error",
    "a skill contains only regular files, symlinks stay inside, no two paths differ only in case, and the size limits hold",
    "copy, rename or delete the file",
  ),
  SKD07: holds(
    "error, lenient: warning",
    "file names are exact, and SKILL.md and skill.json agree on the name",
    "rename it",
  ),
  SKD08: holds("warning", "the description is not a placeholder", "say what it does and when to use it"),
  // SKILL.md.
  SKM01: holds(
    "error",
    "SKILL.md is UTF-8 text that starts with frontmatter between --- lines",
    "start the file with a line ---, then name and description, then a line ---",
  ),
  SKM02: holds(
    "error, lenient: warning",
    "the frontmatter is valid YAML",
    "quote values that contain a colon and a space",
  ),
  SKM03: holds(
    "error",
    "no anchors, tags, merge keys or duplicate keys, and nothing too long or too deeply nested",
    "write the value out",
  ),
  SKM04: holds(
    "error, lenient: warning",
    "name is present and well formed",
    "use lower-case words joined by -, at most 64 characters",
  ),
  SKM05: holds("error, lenient: warning", "name matches the folder", "rename one of them"),
  SKM06: holds("error", "description is present", "say what it does and when to use it"),
  SKM07: holds(
    "error, lenient: warning",
    "description has at most 1024 characters, compatibility 1 to 500",
    "shorten it; move detail to the body",
  ),
  SKM08: holds(
    "error, lenient: warning",
    "metadata is a flat map of strings, and license is a string",
    "quote or flatten it",
  ),
  SKM09: holds(
    "error, lenient: warning",
    "allowed-tools is a string of known tools, separated by spaces",
    "separate tools with spaces; close each parenthesis",
  ),
  SKM10: holds("warning", "the top level has only fields of the specification", "move it under metadata"),
  SKM11: holds(
    "warning",
    "the body is not empty and within the recommended size",
    "move detail to references/",
  ),
  SKM12: holds(
    "warning",
    "relative links exist, stay inside the folder and go one level deep",
    "fix the path",
  ),
  // skill.json of a skill that is called.
  SKU01: holds(
    "error",
    "required fields of skill.json are present and have the right type",
    "`eval-skills schema skill` prints the schema",
  ),
  SKU02: holds(
    "error",
    "id and version match their patterns",
    "ids use a-z, 0-9, _ and -; versions look like 1.0.0",
  ),
  SKU03: holds("error", "adapterType is known", "use http, subprocess, mcp, langchain or custom"),
  SKU04: holds(
    "error",
    "the entrypoint fits the adapter and exists",
    "use a URL, a command, or a module in the folder",
  ),
  SKU05: holds("error", "schemas compile", "fix the JSON Schema"),
  SKU06: holds(
    "error",
    "no unknown keys; a likely typo is an error, any other key a warning",
    "fix the spelling, or move it under metadata",
  ),
  SKU07: holds(
    "error",
    "adapter.config.json is valid, matches adapterType and contains no secrets",
    "name an environment variable in authTokenEnvKey",
  ),
  // skill.json of a prompt with tools.
  AHM01: holds("error", "schema_version is ah32.skill.v1", "use ah32.skill.v1"),
  AHM02: holds(
    "error",
    "required members are present, there are no unknown ones, and types, enums and ranges are valid",
    "remove it, or use an x- key at the root",
  ),
  AHM03: holds(
    "error",
    "meta.id and meta.name are well formed",
    "use 2 to 64 characters of a-z, 0-9, - and _",
  ),
  AHM04: holds("error", "a prompt exists inside the folder", "fix entry.system_prompt"),
  AHM05: holds(
    "warning",
    "only one file can be the prompt, and all content of a .docx is readable",
    "set entry.system_prompt; prefer .md",
  ),
  AHM06: holds(
    "warning",
    "meta.id matches the folder, hosts do not mix * with names, and no deprecated spellings are used",
    "make them agree",
  ),
  AHM07: holds("error", "parameters is a valid JSON Schema of type object", "fix the schema"),
  // Prompt, tools and their scripts.
  PTS01: holds(
    "error",
    "the manifest is valid, the id unique, and the entry file inside the folder",
    "fix the findings it lists",
  ),
  PTS02: holds(
    "error",
    "each declared tool has a script with a function of the same name",
    "add the file or the function, or remove the tool from the manifest",
  ),
  PTS03: holds("error", "function and schema agree", "accept the parameter, or list it in required"),
  PTS04: holds("error", "a tool name is well formed, not built in and declared only once", "rename it"),
  PTS05: holds(
    "warning",
    "tool names are unique across the catalog, so that calls are not ambiguous",
    "prefix the name with the skill id",
  ),
  PTS06: holds("warning", "no orphan scripts and no undeclared parameters", "declare or delete it"),
  PTS07: holds(
    "warning",
    "scripts import only the standard library and their own modules",
    "put the module next to the script, or document the dependency",
  ),
  PTS08: holds(
    "warning",
    "descriptions, schemas and the prompt are short, and every tool has a schema",
    "use one short sentence",
  ),
  PTS09: holds(
    "warning",
    "errors are not swallowed, and results are deterministic",
    "let the exception propagate",
  ),
  PTS10: holds(
    "warning",
    "a schema that output_schema names exists, and output declares markers, a schema or prose",
    "add the file to schemas/",
  ),
  // The triggering block of eval.yaml.
  TRG01: holds("error", "triggering is a map", "use the keys should_match and should_not_match"),
  TRG02: holds("error", "triggering has at least one list or import", "add should_match or should_not_match"),
  TRG03: holds(
    "error",
    "queries are strings of 1 to 4,000 characters, or maps with such a query",
    "write a request that a user would make",
  ),
  TRG04: holds(
    "error",
    "no unknown keys; a likely typo is an error, any other key a warning",
    "fix the spelling, or remove it",
  ),
  TRG05: holds("error", "no query is on both sides", "keep it on one side"),
  TRG06: holds("error", "judge settings are valid", "repeats must be at least 1, threshold between 0 and 1"),
  TRG07: holds(
    "error",
    "the card has text, and siblings and imports exist",
    "add a description, or fix the path",
  ),
  TRG10: holds("warning", "the lists are not empty", "add queries"),
  TRG11: holds("warning", "no duplicates and no near duplicates", "vary the wording"),
  TRG12: holds(
    "warning",
    "both sides have at least 8 queries, and neither more than three times the other's",
    "add the missing side",
  ),
  TRG13: holds(
    "warning",
    "some negative queries are near misses",
    "add requests that look similar but belong elsewhere",
  ),
  TRG14: holds("warning", "no query quotes a trigger", "rephrase it"),
  TRG15: holds(
    "warning",
    "the card is not truncated, and meta.yml does not contradict the manifest",
    "shorten it, or make them agree",
  ),
} as const satisfies Record<string, DiagnosticRule>;

export type DiagnosticCode = keyof typeof diagnosticRules;
