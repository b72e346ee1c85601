/** Files that hold programs or pictures: none of ours is written in them, and reading them all would cost time. */
const otherKinds =
  /\.(?:py[cdiow]?|[cm]?[jt]sx?|sh|bash|rb|pl|php|go|rs|c|h|cc|cpp|hpp|java|class|jar|so|wasm|css|png|jpe?g|gif|webp|svg|ico|woff2?|ttf|otf|zip|gz|tgz|bz2|xz|whl|pdf|docx|xlsx|pptx|mp[34]|wav)$/i;

/**
 * Whether a file is a suite of cases, a report, a store or a recording of this tool, by its content: whatever it is called, it says
 * what is expected of a skill. `head` gives its beginning, more of it each time it is asked.
 */
export function holdsEvalMaterial(name: string, head: () => Iterable<Buffer>): boolean {
  if (otherKinds.test(name)) return false;
  for (const bytes of head()) {
    if (bytes.includes(0)) return isOurDatabase(bytes);
    const text = bytes.toString("utf8").trimStart();
    if (isReport(text)) return true;
    const isJson = /^[{[]/.test(text);
    if (isJson ? isJsonMaterial(text) : isYamlMaterial(text, name)) return true;
    if (!isJson && !yamlName.test(name)) return false;
  }
  return false;
}

const databaseTag = "SQLite format 3\0";
/** The store ("evk2" and its earlier form) and the file of telemetry, as SQLite's application id. */
const applicationIds = new Set([0x65766b32, 0x65766b31, 0x4553546c]);

function isOurDatabase(bytes: Buffer): boolean {
  if (bytes.length < 100 || bytes.toString("latin1", 0, databaseTag.length) !== databaseTag) return false;
  return applicationIds.has(bytes.readUInt32BE(68));
}

/** The beginnings of all formats of reports. */
const reports = [
  /"tool":\s*\{\s*"name":\s*"eval-skills"/, // json, ndjson
  /"driver":\s*\{\s*"name":\s*"eval-skills/, // sarif
  /^<\?xml[^>]*>\s*<testsuites name="eval-skills"/, // junit
  /^level,suite,subject,(?:caseId|skillId)?/, // csv
  /^\|\s*(?:Subject|Skill)\s*\| (?:State|Result)\s*\|/m, // markdown
  /^\|\s*\| [^|\n]+\| Result\s*\|/m, // github
  /<!-- The script holds Preact,[\s\S]*eval-skills|^<!doctype html>[\s\S]*script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'/, // html
];

function isReport(text: string): boolean {
  return reports.some((report) => report.test(text));
}

/** Members that only occur together in our files. */
const jsonMaterial: readonly (readonly string[])[] = [
  ["expectedOutput", "inputData"],
  ["expectedOutput", "evaluator"],
  ["expect", "input"],
  ["expect", "inputData"],
  ["expect", "turns"],
  ["evals", "prompt"],
  ["query", "should_trigger"],
  ["should_match"],
  ["should_not_match"],
  ["schemaVersion", "runId", "kind"], // the line log
  ["caseDigest", "caseId"], // results
  ["schemaVersion", "chunks", "finishReason"], // a recorded reply
  ["run_id", "seq", "turn", "type"], // the events of an agent
];

function isJsonMaterial(text: string): boolean {
  return jsonMaterial.some((names) => names.every((name) => text.includes(`"${name}":`)));
}

const yamlName = /\.ya?ml$/i;
const yamlMaterial: readonly (readonly RegExp[])[] = [
  [/^[\s-]*expectedOutput:/m, /^[\s-]*(?:inputData|evaluator):/m],
  [/^[\s-]*expect:/m, /^[\s-]*(?:input|inputData|turns|mock|cases):/m],
  [/^[\s-]*(?:should_match|should_not_match):/m],
  [/^cases:/m, /^(?:suite|target|skill_roots|markers|defaults):/m],
];

function isYamlMaterial(text: string, name: string): boolean {
  return (
    yamlName.test(name) && yamlMaterial.some((patterns) => patterns.every((pattern) => pattern.test(text)))
  );
}
