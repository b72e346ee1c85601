import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import {
  excerptAt,
  fileName,
  isDependency,
  isTestMaterial,
  lineWith,
  parentFolder,
} from "./file-locations.ts";
import type { AuditedFile, AuditedSkill, AuditRule, Match } from "./rule.ts";

/** Dependencies that may be something else tomorrow. */
export const unpinnedDependency: AuditRule = {
  id: "AUD170",
  name: "unpinned-dependency",
  severity: "medium",
  message: "a dependency is not pinned to a version",
  help: "Pin each dependency to a version, and each URL dependency to a commit hash.",
  *find(skill) {
    for (const file of skill.files) {
      if (file.text === null || isDependency(file.path) || isTestMaterial(file.path)) continue;
      if (fileName(file.path) === "package.json") yield* checkPackage(file, skill);
      else if (/^(?:requirements[\w.-]*\.(?:txt|in)|constraints\.txt)$/.test(fileName(file.path)))
        yield* checkRequirements(file, skill);
      else if (fileName(file.path) === "pyproject.toml") yield* checkProject(file, skill);
      else if (file.language === "json") yield* checkServers(file);
      yield* checkCommands(file);
    }
  },
};

const remote = "a dependency comes straight from a URL without a pinned commit";

function* checkPackage(file: AuditedFile, skill: AuditedSkill): Generator<Match> {
  const read = parseStrictJson(file.text ?? "");
  if (!read.ok || !isMap(read.value)) return;
  const isLocked = hasBeside(skill, file, [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
  ]);
  for (const key of ["dependencies", "optionalDependencies", "devDependencies", "peerDependencies"]) {
    const list = read.value[key];
    if (!isMap(list) || key === "peerDependencies") continue;
    for (const [name, version] of Object.entries(list)) {
      if (typeof version !== "string") continue;
      const isRemote = /^(?:git|github:|gitlab:|bitbucket:|https?:|[\w.-]+\/[\w.-]+(?:#|$))/.test(version);
      const isOpen = /^(?:|\*|x|latest|next|>=?\s{0,2}\d\S*)$/i.test(version.trim());
      if (isRemote ? isHash(version) : isLocked || !isOpen) continue;
      const line =
        lineWith(file, JSON.stringify(name), JSON.stringify(version)) ?? lineWith(file, JSON.stringify(name));
      yield {
        file: file.path,
        line,
        evidence: `"${name}": "${version}"`,
        ...(isRemote && { message: remote }),
      };
    }
  }
}

function* checkRequirements(file: AuditedFile, skill: AuditedSkill): Generator<Match> {
  const isLocked = hasBeside(skill, file, ["uv.lock", "poetry.lock", "requirements.lock"]);
  for (const { text, number } of file.lines) {
    const line = text.replace(/(?:^|\s)#.*$/, "").trim();
    if (/^(?:-i|--index-url|--extra-index-url|-f|--find-links)\b/.test(line)) {
      if (!/pypi\.org|download\.pytorch\.org/.test(line))
        yield {
          file: file.path,
          line: number,
          evidence: line,
          message: "packages come from an index other than PyPI",
        };
    } else if (isRemoteRequirement(line)) {
      if (!isHash(line)) yield { file: file.path, line: number, evidence: line, message: remote };
    } else if (!isLocked && isBare(line)) yield { file: file.path, line: number, evidence: line };
  }
}

/** `dependencies = ["requests"]` of a project, over one line or several. */
function* checkProject(file: AuditedFile, skill: AuditedSkill): Generator<Match> {
  const isLocked = hasBeside(skill, file, ["uv.lock", "poetry.lock", "pdm.lock"]);
  let isInList = false;
  for (const { text, number } of file.lines) {
    if (/^\s{0,8}\[/.test(text) && !isInList) continue;
    if (/^dependencies\s{0,4}=\s{0,4}\[/.test(text)) isInList = true;
    if (!isInList) continue;
    for (const [, item = ""] of text.matchAll(/["']([^"']{1,300})["']/g)) {
      if (isRemoteRequirement(item) ? !isHash(item) : !isLocked && isBare(item))
        yield {
          file: file.path,
          line: number,
          evidence: item,
          ...(isRemoteRequirement(item) && { message: remote }),
        };
    }
    if (/\]\s{0,8}(?:#.*)?$/.test(text)) isInList = false;
  }
}

/** Servers of a tool protocol that are fetched anew each time they are started. */
function* checkServers(file: AuditedFile): Generator<Match> {
  if (!/\b(?:npx|bunx|uvx|pnpm|pipx)\b/.test(file.text ?? "")) return;
  const read = parseStrictJson(file.text ?? "");
  if (!read.ok) return;
  for (const { command, args } of serversIn(read.value)) {
    if (!/^(?:npx|bunx|uvx|pipx)$/.test(command)) continue;
    const name = args.find((word) => !word.startsWith("-") && word !== "run");
    if (name === undefined || /.@\^?~?v?\d|==\d|^\.{0,2}\//.test(name)) continue;
    yield { file: file.path, line: lineWith(file, name), evidence: `${command} ${args.join(" ")}` };
  }
}

const deepest = 8;

function* serversIn(value: unknown, depth = 0): Generator<{ command: string; args: string[] }> {
  if (depth > deepest || value === null || typeof value !== "object") return;
  if (isMap(value) && typeof value.command === "string" && Array.isArray(value.args))
    yield { command: value.command, args: value.args.filter((item) => typeof item === "string") };
  for (const part of Object.values(value)) yield* serversIn(part, depth + 1);
}

/** Instructions that install from an address. A name without a version is how people write instructions. */
function* checkCommands(file: AuditedFile): Generator<Match> {
  if (file.kind === "data") return;
  for (const { text, number, isComment, isWarnedOf } of file.lines) {
    if (isComment || isWarnedOf) continue;
    const found = installs.exec(text);
    if (found === null || isHash(found[0])) continue;
    yield { file: file.path, line: number, evidence: excerptAt(text, found.index), message: remote };
  }
}

const installs =
  /\b(?:(?:pip3?|uv|pipx|poetry)\s(?:[\w-]{1,20}\s){0,3}(?:install|add|run)|uvx|(?:npm|pnpm|yarn|bun)\s(?:install|add|i)|npx(?!\s(?:-y\s)?(?:skills|add-skill)\b))\s[^|;&\n]{0,120}?(?:git\+(?:https?|ssh):\/\/|github:|https?:\/\/(?=[^\s"'`)]{1,300}\.(?:tgz|tar\.gz|zip|whl|git)\b)(?!(?:[\w.-]{1,80}\.)?(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.org|nvidia\.com)\b))(?!(?:github\.com\/)?(?:user|username|owner|org|your-?\w{0,10}|<)[\w>-]{0,20}\/)[^\s"'`)]{3,300}/;

function isRemoteRequirement(line: string): boolean {
  return /(?:^|@\s{0,4})(?:git\+|https?:\/\/|hg\+|svn\+)/.test(line) || /^-e\s{1,4}git\+/.test(line);
}

/** Pinned to what nobody can exchange: a commit, or the hash of a file. */
function isHash(text: string): boolean {
  return /[#@][0-9a-f]{40}\b|sha(?:256|512)[=-]/i.test(text);
}

function isBare(line: string): boolean {
  return /^[A-Za-z][\w.-]{0,100}(?:\[[\w,\s-]{0,100}\])?\s{0,8}(?:;.{0,200})?$/.test(line);
}

function hasBeside({ files }: AuditedSkill, { path }: AuditedFile, names: readonly string[]): boolean {
  const folder = parentFolder(path);
  return files.some((file) => names.some((name) => file.path === `${folder}${name}`));
}
