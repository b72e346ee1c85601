import { excerptAt } from "./file-locations.ts";
import type { AuditedFile, Match } from "./rule.ts";

/** A kind of file that some tool loads by its name, and what makes it worth a finding. */
interface ConfigKind {
  path: RegExp;
  find(file: AuditedFile): Iterable<Match>;
}

/** Reported for being there. */
function always(path: RegExp, message: string, severity?: Match["severity"]): ConfigKind {
  return {
    path,
    *find(file) {
      const line = file.lines.find(
        ({ text, isComment }) => !isComment && /\w/.test(text) && !text.startsWith("#!"),
      );
      yield {
        file: file.path,
        line: line?.number ?? null,
        evidence: line?.text ?? file.path,
        message,
        ...(severity && { severity }),
      };
    },
  };
}

/** Reported where a line makes it run something. */
function where(path: RegExp, shape: RegExp, message: string, severity?: Match["severity"]): ConfigKind {
  return {
    path,
    *find(file) {
      for (const { text, number, isComment } of file.lines) {
        const found = isComment || /^\s{0,40}[#;]/.test(text) ? null : shape.exec(text);
        if (found === null) continue;
        yield {
          file: file.path,
          line: number,
          evidence: excerptAt(text, found.index),
          message,
          ...(severity && { severity }),
        };
      }
    },
  };
}

const script = "(?:js|cjs|mjs|ts|cts|mts)";

/** The first that fits a path counts. */
export const configKinds: readonly ConfigKind[] = [
  where(/(?:^|\/)\.git\/hooks\/[^/]+\.sample$/, /(?!)/, ""),
  always(
    /(?:^|\/)\.git\/hooks\/[^/]+$|(?:^|\/)\.(?:husky|githooks)\/(?!_\/|\.)[\w-]+$/,
    "git runs this hook automatically",
  ),
  where(
    /(?:^|\/)(?:\.git\/config|\.gitconfig)$/,
    /^\s{0,8}(?:hooksPath|fsmonitor|sshCommand|pager|editor|textconv|external|clean|smudge|process|helper)\s{0,4}=\s{0,4}(?!true|false|cat|less|osxkeychain|manager|store|cache)/i,
    "git runs the program in this setting",
  ),
  where(
    /(?:^|\/)\.vscode\/tasks\.json$/,
    /"runOn"\s{0,4}:\s{0,4}"folderOpen"/,
    "the editor runs this task when the folder is opened",
  ),
  where(
    /(?:^|\/)\.vscode\/settings\.json$/,
    /"(?:[\w.]+\.(?:executablePath|interpreterPath|defaultInterpreterPath|nodePath|gitPath|path)|git\.path|terminal\.integrated\.(?:env|profiles|automationProfile)[\w.]*|task\.allowAutomaticTasks)"\s{0,4}:\s{0,4}(?!"(?:off|python3?|node|git)?")/,
    "this setting makes the editor start programs",
    "medium",
  ),
  where(
    /(?:^|\/)(?:\.devcontainer\/(?:[^/]+\/)?devcontainer|\.devcontainer)\.json$/,
    /"(?:initializeCommand|onCreateCommand|updateContentCommand|postCreateCommand|postStartCommand|postAttachCommand)"/,
    "opening the folder in a container runs this command",
    "medium",
  ),
  where(
    /(?:^|\/)\.idea\/(?:workspace|startup|externalDependencies)\.xml$|(?:^|\/)\.idea\/.*\.xml$/,
    /ProjectStartupSharedConfiguration|StartupTasks/,
    "the editor runs this task when the project is opened",
  ),
  where(
    /(?:^|\/)\.(?:claude|gemini|qwen|codex)\/settings(?:\.local)?\.json$|(?:^|\/)hooks\/hooks\.json$|(?:^|\/)\.cursor\/hooks\.json$/,
    /"(?:command|apiKeyHelper|statusLine)"\s{0,4}:/,
    "the agent host runs this command automatically",
  ),
  where(
    /(?:^|\/)\.npmrc$/,
    /^\s{0,8}(?:script-shell|node-options|git|shell|onload-script|globalconfig|userconfig|prefix)\s{0,4}=|^\s{0,8}(?:@[\w-]+:)?registry\s{0,4}=\s{0,4}(?!https:\/\/(?:registry\.npmjs\.org|npm\.pkg\.github\.com|registry\.npmmirror\.com)\b)/,
    "npm applies this setting when run in this folder or below",
  ),
  where(
    /(?:^|\/)\.yarnrc(?:\.yml)?$/,
    /^\s{0,8}(?:yarnPath|yarn-path|plugins)\b/,
    "yarn runs the program in this setting",
  ),
  always(/(?:^|\/)\.pnpmfile\.c?js$/, "pnpm runs this file on every install"),
  always(
    /(?:^|\/)(?:sitecustomize|usercustomize)\.py$/,
    "Python runs this file whenever it starts next to it",
  ),
  where(/\.pth$/, /^\s{0,8}import[\s\t]/, "Python runs this line whenever it starts"),
  where(
    /(?:^|\/)(?:pytest\.ini|tox\.ini|setup\.cfg|\.pytest\.ini)$/,
    /^\s{0,8}(?:addopts\s{0,4}=.{0,200}(?:^|\s)-p\s|required_plugins|commands(?:_pre)?\s{0,4}=|pythonpath\s{0,4}=\s{0,4}\.\.)/,
    "this setting makes a tool load code",
    "medium",
  ),
  where(
    /(?:^|\/)\.pre-commit-config\.yaml$/,
    /^\s{0,40}(?:-\s{1,4})?entry\s{0,4}:/,
    "pre-commit runs this command on every commit",
    "medium",
  ),
  always(
    new RegExp(
      `(?:^|/)(?:\\.eslintrc|\\.prettierrc|\\.babelrc|\\.stylelintrc|\\.lintstagedrc)\\.${script}$|(?:^|/)(?:prettier|stylelint|postcss|eslint|lint-staged)\\.config\\.${script}$`,
    ),
    "tools load this file as configuration when run in this folder or below",
    "medium",
  ),
  where(
    /(?:^|\/)\.envrc$/,
    /^\s{0,8}(?!(?:export|dotenv|layout|use|PATH_add|source_up|#))\S/,
    "direnv runs this file where allowed",
    "medium",
  ),
];
