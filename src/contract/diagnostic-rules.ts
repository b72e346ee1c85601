import type { DiagnosticSeverity } from "./diagnostic.ts";

/** What is said about a code wherever its findings are shown. */
export interface DiagnosticRule {
  /** How bad a breach is, by profile. */
  strict: DiagnosticSeverity;
  lenient: DiagnosticSeverity;
  /** What must hold. */
  rule: string;
  /** What mends a breach, where the finding itself says no better. */
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
  SKD01: holds("error", "a folder that was named is a skill", "check the path, or run `eval-skills create`"),
  SKD02: holds("error", "skill.json is JSON without duplicate keys", "correct the syntax"),
  SKD03: holds("error", "a manifest says its kind", "add adapterType, or schema_version ah32.skill.v1"),
  SKD04: holds("error", "an id is unique within a root", "give one of them another id"),
  SKD05: holds("warning", "an id is not hidden by another root", "remove one of the two, or rename it"),
  SKD06: holds(
    "error",
    "a skill holds plain files only, links stay inside, no two paths are equal but for case, and all is within the caps",
    "copy the file in, rename it, or delete it",
  ),
  SKD07: holds(
    "error, lenient: warning",
    "file names are exact, and both faces of a skill agree on its name",
    "rename it",
  ),
  SKD08: holds("warning", "the description is no placeholder", "say what it does and when to use it"),
  // SKILL.md.
  SKM01: holds(
    "error",
    "SKILL.md is UTF-8 text that begins with frontmatter between --- lines",
    "start the file with a line ---, then name and description, then a line ---",
  ),
  SKM02: holds(
    "error, lenient: warning",
    "the frontmatter is YAML",
    "quote values that contain a colon and a space",
  ),
  SKM03: holds(
    "error",
    "no anchors, tags, merge keys or duplicate keys, and nothing too long or too deep",
    "write the value out",
  ),
  SKM04: holds(
    "error, lenient: warning",
    "name is there and well formed",
    "lower-case words joined by -, at most 64 characters",
  ),
  SKM05: holds("error, lenient: warning", "name equals the folder", "rename one of them"),
  SKM06: holds("error", "description is there", "say what it does and when to use it"),
  SKM07: holds(
    "error, lenient: warning",
    "description has at most 1024 characters, compatibility 1 to 500",
    "shorten it; move detail to the body",
  ),
  SKM08: holds(
    "error, lenient: warning",
    "metadata is a flat map of strings, license a string",
    "quote or flatten it",
  ),
  SKM09: holds(
    "error, lenient: warning",
    "allowed-tools is a string of known tools, separated by spaces",
    "separate by spaces; close each parenthesis",
  ),
  SKM10: holds("warning", "only defined fields stand at the top level", "move it under metadata"),
  SKM11: holds(
    "warning",
    "the body is not empty and stays within what is advised",
    "move detail to references/",
  ),
  SKM12: holds("warning", "relative links exist, stay inside and lead one level deep", "correct the path"),
  // skill.json of a skill that is called.
  SKU01: holds(
    "error",
    "required fields of skill.json are there and of the right type",
    "`eval-skills schema skill` prints what a skill.json may say",
  ),
  SKU02: holds(
    "error",
    "id and version follow their patterns",
    "an id is made of a-z, 0-9, _ and -; a version such as 1.0.0",
  ),
  SKU03: holds("error", "adapterType is known", "use http, subprocess, mcp, langchain or custom"),
  SKU04: holds(
    "error",
    "the entrypoint fits the adapter and is found",
    "a URL, a command, or a module in the folder",
  ),
  SKU05: holds("error", "schemas compile", "correct the JSON Schema"),
  SKU06: holds(
    "error",
    "no unknown keys; one that is close to a known key is an error, any other a warning",
    "correct it, or move it under metadata",
  ),
  SKU07: holds(
    "error",
    "adapter.config.json is valid, agrees on the type and holds no secret",
    "name a variable in authTokenEnvKey",
  ),
  // skill.json of a prompt with tools.
  AHM01: holds("error", "schema_version is ah32.skill.v1", "use ah32.skill.v1"),
  AHM02: holds(
    "error",
    "required parts are there, closed objects stay closed, and types, words and ranges fit",
    "remove it, or use an x- key at the root",
  ),
  AHM03: holds("error", "meta.id and meta.name are well formed", "2 to 64 of a-z, 0-9, - and _"),
  AHM04: holds("error", "a prompt exists inside the folder", "correct entry.system_prompt"),
  AHM05: holds(
    "warning",
    "there is one candidate for the prompt, and nothing of a .docx is left unread",
    "set entry.system_prompt; prefer .md",
  ),
  AHM06: holds(
    "warning",
    "meta.id equals the folder, hosts do not mix * with names, and no old spellings are used",
    "align them",
  ),
  AHM07: holds("error", "parameters is a valid JSON Schema of type object", "correct the schema"),
  // Prompt, tools and their scripts.
  PTS01: holds(
    "error",
    "the manifest is valid, the id unique, and the entry file inside the folder",
    "gone once the findings it names are mended",
  ),
  PTS02: holds(
    "error",
    "each declared tool has its script, and in it a function of the same name",
    "add the file or the function, or undeclare the tool",
  ),
  PTS03: holds("error", "function and schema agree", "accept it, or list it in required"),
  PTS04: holds("error", "a tool's name is well formed, not built in and not declared twice", "rename it"),
  PTS05: holds(
    "warning",
    "a tool's name is unique over the catalog: selected together, a call of it is ambiguous",
    "begin the name with that of the skill",
  ),
  PTS06: holds("warning", "no orphan scripts and no undeclared parameters", "declare or delete it"),
  PTS07: holds(
    "warning",
    "scripts import the standard library and their own modules only",
    "put the module beside the script, or state the need",
  ),
  PTS08: holds(
    "warning",
    "descriptions, schemas and the prompt are lean, and a tool has a schema",
    "one short sentence",
  ),
  PTS09: holds("warning", "errors are not swallowed, and results are deterministic", "let it raise"),
  PTS10: holds("warning", "output_schema is found, and markers are declared", "add the file below schemas/"),
  // The triggering block of eval.yaml.
  TRG01: holds("error", "triggering is a map", "use the keys should_match and should_not_match"),
  TRG02: holds("error", "triggering has at least one list or import", "add should_match or should_not_match"),
  TRG03: holds(
    "error",
    "queries are texts of 1 to 4,000 characters, or maps with such a query",
    "write a request that a user would make",
  ),
  TRG04: holds(
    "error",
    "no unknown keys; one that is close to a known key is an error, any other a warning",
    "correct or remove it",
  ),
  TRG05: holds("error", "no query stands on both sides", "decide for one side"),
  TRG06: holds(
    "error",
    "settings of the judge are valid",
    "repeats is at least 1, threshold between 0 and 1",
  ),
  TRG07: holds(
    "error",
    "the card has text, and siblings and imports exist",
    "add a description, or correct the path",
  ),
  TRG10: holds("warning", "the lists are not empty", "add queries"),
  TRG11: holds("warning", "no duplicates and no near duplicates", "vary the wording"),
  TRG12: holds(
    "warning",
    "both sides have at least 8 queries, and neither more than three times the other's",
    "add the missing side",
  ),
  TRG13: holds("warning", "some negative queries are near misses", "add requests that look alike"),
  TRG14: holds("warning", "no query quotes a trigger", "rephrase it"),
  TRG15: holds(
    "warning",
    "the card is not cut, and meta.yml does not contradict the manifest",
    "shorten or align it",
  ),
} as const satisfies Record<string, DiagnosticRule>;

export type DiagnosticCode = keyof typeof diagnosticRules;
