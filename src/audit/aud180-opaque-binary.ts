import { type BinaryFormat, binaryFormat } from "./binary-format.ts";
import { isDependency } from "./file-locations.ts";
import type { AuditedFile, AuditedSkill, AuditRule, Match } from "./rule.ts";

/** Files that do something and that nobody can read. */
export const opaqueBinary: AuditRule = {
  id: "AUD180",
  name: "opaque-binary",
  severity: "medium",
  message: "this file cannot be reviewed",
  help: "Ask for the source and build it yourself, or remove it.",
  *find(skill) {
    const dependencies: Match[] = [];
    for (const file of skill.files) {
      const match = file.kind === "binary" ? findMatch(file, skill) : null;
      if (match === null) continue;
      if (isDependency(file.path)) dependencies.push(match);
      else yield match;
    }
    const [first, ...more] = dependencies;
    if (first === undefined) return;
    yield more.length === 0
      ? first
      : { ...first, evidence: `${first.evidence} and ${more.length} more in dependencies` };
  },
};

function findMatch(file: AuditedFile, skill: AuditedSkill): Match | null {
  const format = binaryFormat(file);
  if (format === null) return isProgram(file) ? match(file, "a program of an unknown format") : null;
  switch (format.what) {
    case "program":
      return disguised(file, format) ?? match(file, format.name);
    case "archive":
      return match(file, format.name);
    case "bytecode":
      return hasSource(file.path, skill) ? null : match(file, `${format.name} without its source`);
    case "document":
    case "media":
    case "data":
      return null;
    default:
      return format.what satisfies never;
  }
}

function match({ path }: AuditedFile, name: string): Match {
  return {
    file: path,
    line: null,
    evidence: path,
    message: `the file is ${name} and cannot be reviewed`,
  };
}

function disguised(file: AuditedFile, { name }: BinaryFormat): Match | null {
  if (
    !/\.(?:png|jpe?g|gif|webp|svg|ico|pdf|txt|md|json|ya?ml|csv|docx|xlsx|pptx|mp[34]|wav|woff2?|ttf)$/i.test(
      file.path,
    )
  )
    return null;
  return {
    ...match(file, name),
    severity: "high",
    message: `the file is ${name}, despite its name`,
  };
}

function isProgram({ mode }: AuditedFile): boolean {
  return (mode & 0o111) !== 0;
}

/** `__pycache__/tool.cpython-312.pyc` comes from `tool.py`, one folder up. */
function hasSource(path: string, { files }: AuditedSkill): boolean {
  const name = path.replace(
    /(?:^|\/)__pycache__\/([^/]+)$/,
    (_, file) => `${path.startsWith("__pycache__/") ? "" : "/"}${file}`,
  );
  const source = name.replace(/(?:\.(?:cpython|pypy)[\w-]*)?(?:\.opt-\d)?\.py[co]$/, ".py");
  return files.some((file) => file.path === source);
}
