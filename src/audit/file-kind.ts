import type { AuditedFile } from "./rule.ts";

type FileKind = Pick<AuditedFile, "kind" | "language">;

/** What a text file is read as, from its name and its first line. */
export function fileKind(path: string, text: string): FileKind {
  const name = fileName(path);
  const byName = kindByName(name);
  if (byName !== null) return byName;
  const program = /^#!\s{0,4}(?:\S{0,200}\/)?(?:env\s{1,4}(?:-S\s{1,4})?)?(?:\S{0,200}\/)?([a-z]+)/.exec(
    text,
  )?.[1];
  const language = program === undefined ? undefined : interpreters[program];
  if (language !== undefined) return { kind: "code", language };
  // Without an extension it is what people write without one: a note, a licence.
  return name.includes(".") ? { kind: "data", language: null } : { kind: "prose", language: null };
}

/** Whether the name alone says that a file is text. */
export function isTextByName(path: string): boolean {
  return kindByName(fileName(path)) !== null;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function kindByName(name: string): FileKind | null {
  return names[name] ?? (/\.d\.[cm]?ts$/.test(name) ? declarations : byExtension(name));
}

/** Types say what there is; they run nothing. */
const declarations: FileKind = { kind: "data", language: "typescript" };

function byExtension(name: string): FileKind | null {
  const dot = name.lastIndexOf(".");
  const extension = dot === -1 ? "" : name.slice(dot + 1);
  const code = codeExtensions[extension];
  if (code !== undefined) return { kind: "code", language: code };
  const prose = proseExtensions[extension];
  if (prose !== undefined) return { kind: "prose", language: prose };
  const data = dataExtensions[extension];
  return data === undefined ? null : { kind: "data", language: data };
}

/** The name that a language has in a fence or an extension, in our word for it. */
export function languageName(word: string): string | null {
  const name = word.toLowerCase();
  return codeExtensions[name] ?? dataExtensions[name] ?? proseExtensions[name] ?? (name === "" ? null : name);
}

const codeExtensions: Record<string, string> = {
  __proto__: null as never,
  py: "python",
  pyw: "python",
  pyi: "python",
  python3: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  node: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescript",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  fish: "shell",
  ksh: "shell",
  console: "shell",
  "shell-session": "shell",
  command: "shell",
  ps1: "powershell",
  psm1: "powershell",
  pwsh: "powershell",
  bat: "batch",
  cmd: "batch",
  rb: "ruby",
  pl: "perl",
  pm: "perl",
  php: "php",
  lua: "lua",
  r: "r",
  go: "go",
  rs: "rust",
  java: "java",
  kt: "kotlin",
  swift: "swift",
  c: "c",
  h: "c",
  cc: "c",
  cpp: "c",
  cs: "csharp",
  scpt: "applescript",
  applescript: "applescript",
  vbs: "vbscript",
  jl: "julia",
  ex: "elixir",
  exs: "elixir",
  clj: "clojure",
  scala: "scala",
  awk: "awk",
  tcl: "tcl",
  mk: "make",
  gradle: "gradle",
};

const proseExtensions: Record<string, string | null> = {
  __proto__: null as never,
  md: "markdown",
  mdx: "markdown",
  mdc: "markdown",
  markdown: "markdown",
  rst: "restructuredtext",
  adoc: "asciidoc",
  txt: null,
  text: null,
  prompt: null,
  j2: null,
};

const dataExtensions: Record<string, string> = {
  __proto__: null as never,
  json: "json",
  jsonc: "json",
  json5: "json",
  jsonl: "json",
  ndjson: "json",
  ipynb: "json",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  ini: "ini",
  cfg: "ini",
  conf: "ini",
  env: "env",
  csv: "csv",
  tsv: "csv",
  xml: "xml",
  svg: "xml",
  plist: "xml",
  html: "html",
  htm: "html",
  css: "css",
  sql: "sql",
  lock: "lock",
};

const names: Record<string, FileKind> = {
  __proto__: null as never,
  dockerfile: { kind: "code", language: "dockerfile" },
  containerfile: { kind: "code", language: "dockerfile" },
  makefile: { kind: "code", language: "make" },
  gnumakefile: { kind: "code", language: "make" },
  justfile: { kind: "code", language: "shell" },
  rakefile: { kind: "code", language: "ruby" },
  gemfile: { kind: "code", language: "ruby" },
  ".envrc": { kind: "code", language: "shell" },
  ".env": { kind: "data", language: "env" },
  ".npmrc": { kind: "data", language: "ini" },
  ".gitconfig": { kind: "data", language: "ini" },
  ".gitmodules": { kind: "data", language: "ini" },
  ".gitignore": { kind: "data", language: null },
  ".cursorrules": { kind: "prose", language: "markdown" },
  ".windsurfrules": { kind: "prose", language: "markdown" },
  "requirements.txt": { kind: "data", language: "requirements" },
};

const interpreters: Record<string, string> = {
  __proto__: null as never,
  python: "python",
  node: "javascript",
  deno: "typescript",
  bun: "typescript",
  tsx: "typescript",
  sh: "shell",
  bash: "shell",
  dash: "shell",
  zsh: "shell",
  ksh: "shell",
  fish: "shell",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  lua: "lua",
  pwsh: "powershell",
  osascript: "applescript",
  awk: "awk",
  make: "make",
};
