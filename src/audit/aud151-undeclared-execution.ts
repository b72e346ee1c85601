import { firstUse } from "./found.ts";
import type { AuditRule } from "./rule.ts";

/** Code that starts other programs, in a skill that does not say so. */
export const undeclaredExecution: AuditRule = {
  id: "AUD151",
  name: "undeclared-execution",
  severity: "medium",
  message: "code runs other programs, but neither the description nor the manifest says so",
  help: "Say in the description which programs are run, or avoid them.",
  *find(skill) {
    if (words.test(skill.declared)) return;
    const use = firstUse(skill, shapes, isOwnInterpreter);
    if (use === null || namesProgram(use.text, skill.declared)) return;
    const { text: _, ...match } = use;
    yield match;
  },
};

const javascript =
  /["'](?:node:)?child_process["']|\bexeca\s?\(|\bfrom ["']execa["']|\bDeno\.(?:Command|run)\b|\bBun\.(?:spawn|spawnSync|\$)|\bshelljs\b/;

const shapes: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  python:
    /\bsubprocess\.(?:run|Popen|call|check_call|check_output|getoutput|getstatusoutput)\b|\bos\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?|posix_spawn)\s?\(|\bcreate_subprocess_(?:exec|shell)\b|\bpty\.spawn\b/,
  javascript,
  typescript: javascript,
  ruby: /(?:^|[\s=(])(?:system|exec|spawn)\s?\(|\bOpen3\.|\bIO\.popen\b|%x[({[]/,
  go: /\bexec\.Command\b/,
  rust: /\bCommand::new\b/,
  php: /\b(?:shell_exec|proc_open|passthru|popen)\s?\(/,
  perl: /(?:^|[\s=(])(?:system|exec)\s?\(|\bqx[({/]/,
};

/** A part of the skill started by the interpreter that runs it already. */
function isOwnInterpreter(line: string): boolean {
  return /sys\.executable|process\.execPath/.test(line);
}

const words =
  /\b(?:run|runs|running|execut\w{1,5}|commands?|cli|shell|terminal|bash|zsh|powershell|scripts?|scripting|programs?|process(?:es)?|subprocess|builds?|building|compil\w{1,4}|tests?|testing|lint\w{0,4}|format(?:s|ter|ting)|deploy\w{0,5}|install\w{0,6}|launch\w{0,3}|starts?|automat\w{1,4}|git|github|docker|kubernetes|kubectl|npm|pip|ffmpeg|pandoc|latex|libreoffice|imagemagick|playwright|browser|convert\w{0,4}|conversion|render\w{0,4}|export\w{0,3}|extract\w{0,4}|transcod\w{1,4}|benchmark\w{0,3}|profil\w{1,4}|debug\w{0,4}|ci|devops|server|adb|ssh|tmux|sandbox)\b|运行|执行|命令|脚本|编译|构建|转换|部署|测试/i;

/** Whether the program that is run is one the skill speaks of. */
function namesProgram(line: string, declared: string): boolean {
  const declaredWords = new Set(declared.toLowerCase().match(/[a-z][\w-]{2,40}/g));
  return (line.toLowerCase().match(/["'`]([a-z][\w-]{2,40})/g) ?? []).some((word) =>
    declaredWords.has(word.slice(1)),
  );
}
