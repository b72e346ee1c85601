import { configKinds } from "./auto-run-kinds.ts";
import { excerptAt, fileName, isDependency } from "./file-locations.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/**
 * Files that tools of the host pick up by themselves. High if a file runs something unprompted. A test that only
 * tests is what good skills have: those are one low line together, and high as soon as one reaches out of its folder.
 */
export const autoRunFile: AuditRule = {
  id: "AUD172",
  name: "auto-run-file",
  severity: "high",
  message: "tools on the host run this file automatically",
  help: "Delete it, or exclude it from installation; exclude the skills folder from the host's test runs.",
  *find({ files, specials }) {
    const tests: AuditedFile[] = [];
    for (const file of files) {
      if (isDependency(file.path)) continue;
      const kind = configKinds.find(({ path }) => path.test(file.path));
      if (kind !== undefined) yield* kind.find(file);
      if (kind === undefined && !isTest(file.path)) continue;
      const reaches = reachesOut(file);
      if (reaches !== null) yield reaches;
      else if (kind === undefined) tests.push(file);
    }
    for (const { path } of specials)
      if (/(?:^|\/)\.git\/hooks\/[\w-]+$/.test(path))
        yield { file: path, line: null, evidence: path, message: "a git hook is a symlink" };
    yield* summarize(tests);
  },
};

function isTest(path: string): boolean {
  return (
    /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path) ||
    /(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?$/.test(path) ||
    /^(?:test_.+|.+_test|conftest)\.py$/.test(fileName(path)) ||
    /_test\.go$/.test(path)
  );
}

/** A test has no business with these; the program under test it may start, and a server of its own it may ask. */
const outside: readonly { shape: RegExp; message: string }[] = [
  {
    shape:
      /~\/\.(?:ssh|aws|config|kube|npmrc|netrc|docker|gnupg)|\.ssh\/|id_rsa|id_ed25519|\.aws\/credentials|(?:homedir\(\)|Path\.home\(\)|expanduser\().{0,60}(?:\.ssh|\.aws|\.config|\.npmrc|\.netrc|\.gnupg|\.env)/,
    message: "a file that host tools run automatically reads the user's keys",
  },
  {
    shape:
      /JSON\.stringify\(\s{0,4}process\.env\s{0,4}\)|\bdict\(os\.environ\).{0,80}(?:post|send|json)|Object\.(?:entries|keys|assign)\(\s{0,4}process\.env\b.{0,80}(?:fetch|post|send)/,
    message: "a file that host tools run automatically reads the whole environment",
  },
  {
    shape:
      /(?:fetch|requests\.\w{3,7}|axios(?:\.\w{3,7})?|urlopen|https?\.(?:get|request))\s?\(\s{0,4}[`"'f]{1,2}https?:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|(?:[\w-]+\.)?example\.(?:com|org|net)|[\w.-]+\.(?:test|invalid|local))\b)/,
    message: "a file that host tools run automatically uses the network",
  },
  {
    shape:
      /(?:os\.system|os\.popen|subprocess\.\w{2,20}|execSync|exec|spawnSync|spawn|execFileSync)\s?\(\s{0,4}\[?\s{0,4}[`"'f]{1,2}\s{0,4}(?:curl|wget|nc|ncat|bash -c|sh -c|powershell|osascript|rm -rf|sudo|crontab)\b/,
    message: "a file that host tools run automatically runs programs of the host",
  },
  {
    shape:
      /(?:\bexec|\beval|new Function)\s?\(.{0,60}(?:b64decode|atob\(|from\([^)]{0,200}["']base64["']|fromhex|decompress)/,
    message: "a file that host tools run automatically runs code that it decodes",
  },
];

function reachesOut({ path, lines }: AuditedFile): Match | null {
  for (const line of lines) {
    if (line.isComment) continue;
    for (const { shape, message } of outside) {
      const found = shape.exec(line.text);
      if (found !== null)
        return { file: path, line: line.number, evidence: excerptAt(line.text, found.index), message };
    }
  }
  return null;
}

function* summarize(tests: readonly AuditedFile[]): Generator<Match> {
  // What a runner loads before any test was chosen is worth a line of its own.
  for (const { path } of tests)
    if (fileName(path) === "conftest.py")
      yield {
        file: path,
        line: null,
        evidence: path,
        severity: "medium",
        message: "pytest loads this file when it collects tests",
      };
  const [first, ...more] = tests.filter(({ path }) => fileName(path) !== "conftest.py");
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  yield {
    file: first.path,
    line: null,
    evidence: `${first.path}${others}`,
    severity: "low",
    message: "a test runner on the host would pick up the skill's tests",
  };
}
