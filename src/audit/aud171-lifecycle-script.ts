import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { fileName, isDependency, lineWith } from "./file-locations.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** Code that an install runs before anybody called it. */
export const lifecycleScript: AuditRule = {
  id: "AUD171",
  name: "lifecycle-script",
  severity: "medium",
  message: "installing runs code of the skill",
  help: "Make it an explicit command, or install with scripts disabled (npm install --ignore-scripts).",
  *find({ files }) {
    for (const file of files) {
      if (file.text === null || isDependency(file.path)) continue;
      const look = lookFor[fileName(file.path)];
      if (look !== undefined) yield* look(file);
    }
  },
};

const npmScripts = [
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "prepublish",
];
const composerScripts = [
  "pre-install-cmd",
  "post-install-cmd",
  "post-autoload-dump",
  "post-package-install",
  "post-create-project-cmd",
];

const lookFor: Readonly<Record<string, (file: AuditedFile) => Iterable<Match>>> = {
  __proto__: null as never,
  "package.json": (file) => findScripts(file, npmScripts),
  "composer.json": (file) => findScripts(file, composerScripts),
  "setup.py": (file) =>
    withLine(file, /\bcmdclass\s{0,4}=|\bos\.system\b|\bsubprocess\.|\burlopen\b|\brequests\.|\bexec\s?\(/),
  "pyproject.toml": (file) => withLine(file, /^\s{0,8}backend-path\s{0,4}=/),
  "binding.gyp": (file) => withLine(file, /["']actions["']|<!@?\(/),
  "build.rs": (file) => withLine(file, /\bCommand::new\b|\bTcpStream\b|\breqwest\b|\bureq\b/),
  "extconf.rb": (file) => withLine(file, /\bsystem\b|`|\bNet::HTTP\b|\bexec\b/),
};

function* findScripts(file: AuditedFile, names: readonly string[]): Generator<Match> {
  const read = parseStrictJson(file.text ?? "");
  if (!read.ok || !isMap(read.value) || !isMap(read.value.scripts)) return;
  for (const name of names) {
    const script = read.value.scripts[name];
    if (typeof script !== "string" && !Array.isArray(script)) continue;
    const evidence = `"${name}": ${JSON.stringify(script)}`;
    yield { file: file.path, line: lineWith(file, JSON.stringify(name)), evidence };
  }
}

function* withLine({ path, lines }: AuditedFile, shape: RegExp): Generator<Match> {
  const line = lines.find(({ text, isComment }) => !isComment && shape.test(text));
  if (line !== undefined) yield { file: path, line: line.number, evidence: line.text };
}
