import { isSentence } from "./blocks.ts";
import { commandMatches, type Search, type Sighting } from "./found.ts";
import type { AuditRule, Match } from "./rule.ts";

/** Deletes, overwrites or force-pushes what is not the skill's own work. */
export const destructiveCommand: AuditRule = {
  id: "AUD161",
  name: "destructive-command",
  severity: "high",
  message: "destroys data that is not its own",
  help: "Delete by exact path inside the work folder, and leave the rest to the user.",
  *find({ files }) {
    for (const file of files) yield* commandMatches(file, signs, weighInContext);
  },
};

/** A command named in a sentence is mostly talked about; one in a fence is copied; one in a program runs. */
function weighInContext({ block, words, sign }: Sighting): Partial<Match> | null {
  if (/\bif=\S{1,200}\.(?:iso|img|raw|wic)\b/.test(words)) return { severity: "medium" }; // a boot stick is made so
  if (block.file.kind !== "prose") return {};
  if (isSentence(block)) return sign.severity === undefined ? { severity: "medium" } : null;
  return {};
}

const flags = "(?:-{1,2}[\\w-]{1,24}\\s{1,4}){1,4}";
const home = "(?:~|\\$\\{?HOME\\}?|\\$env:USERPROFILE|%USERPROFILE%)";
const end = "(?=[\"'`\\s;&|)\\\\]|$)";
const system =
  "(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|srv|sys|usr|var|Users|System|Library|Applications)";

const signs: Search = {
  hint: /\brm\b|rmsync|rmdir|rmtree|rimraf|remove|emptydir|\bfind\b|\bri\b|\brd\b|\bdel\b|\/dev\/|mkfs|wipefs|diskutil|format|:\(\)|chmod|chown|push|drop|destroy|delete|\brb\b/,
  signs: [
    // the root, the home, a whole system folder; what lies deeper is somebody's own business
    {
      pattern: new RegExp(
        `\\brm\\s{1,4}(?=[^|;&\\n]{0,60}(?:-\\w{0,6}[rR]|--recursive))${flags}(?:--\\s{1,3})?["'\`]?(?:/\\*?|/${system}/?\\*?|${home}/?\\*?|${home}/(?:Documents|Desktop|Downloads|Pictures|Library|\\.ssh|\\.config|\\.gnupg)/?\\*?)${end}`,
        "g",
      ),
    },
    { pattern: /\brm\s[^|;&\n]{0,80}--no-preserve-root\b/g },
    { pattern: /\bfind\s{1,3}(?:\/|~|\$\{?HOME\}?)\/?\s[^|;\n]{0,120}(?:-delete\b|-exec\s{1,3}rm\b)/g },
    {
      pattern:
        /\bshutil\.rmtree\(\s{0,3}(?:Path\.home\(\)|pathlib\.Path\.home\(\)|os\.path\.expanduser\(\s{0,2}["']~\/?["']\s{0,2}\)|["'](?:\/|~|\/(?:home|etc|usr|var|root|Users))\/?["']|os\.environ\[["']HOME["']\]|os\.environ\.get\(["']HOME["']\))\s{0,3}[,)]/g,
    },
    {
      pattern:
        /\b(?:fs\.|fsp\.|fs\/promises\.)?(?:rm|rmSync|rmdir|rmdirSync|rimraf(?:\.sync|Sync)?|remove|removeSync|emptyDir(?:Sync)?)\(\s{0,3}(?:os\.homedir\(\)|homedir\(\)|process\.env\.HOME|["'`](?:\/|~|\/(?:home|etc|usr|var|root|Users))\/?["'`])\s{0,3}[,)]/g,
    },
    {
      pattern:
        /\b(?:Remove-Item|ri|rd|rmdir|del)\b[^|;&\n]{0,80}(?:-Recurse|\/s)\b[^|;&\n]{0,80}(?:C:\\(?:Windows|Users|\*|["'\s]|$)|\$env:USERPROFILE\\?["'\s]|\$HOME["'\s]|%USERPROFILE%\\?["'\s])/gi,
    },
    {
      pattern:
        /\bdd\s[^|;&\n]{0,160}\bof=\/dev\/(?:sd|hd|nvme|vd|disk|mmcblk|xvd)\w{0,10}|>\s{0,3}\/dev\/(?:sd|hd|nvme|vd|disk|mmcblk)[a-z]?\d{0,2}\w{0,6}\b|\bmkfs(?:\.\w{2,8})?\s[^|;&\n]{0,80}\/dev\/\w{2}|\bwipefs\s{1,3}-a|\bdiskutil\s{1,3}(?:eraseDisk|eraseVolume|zeroDisk|secureErase)\b|\bformat\s{1,3}[c-z]:(?:\s|$)/gi,
      message: "overwrites a disk",
    },
    {
      pattern: /:\(\)\s{0,3}\{\s{0,3}:\s{0,3}\|\s{0,3}:\s{0,3}&\s{0,3}\}\s{0,3};\s{0,3}:/g,
      message: "is a fork bomb",
    },
    {
      pattern:
        /\bchmod\s{1,4}(?:-\w{1,6}\s{1,4})?(?:-R|--recursive|-\w{0,4}R\w{0,4})\s{1,4}(?:\d{3,4}|[ugoa+=rwxXst-]{2,12})\s{1,4}["']?(?:\/|~|\$\{?HOME\}?|\/(?:etc|usr|bin|var|home|root|lib))\/?["']?(?=[\s;&|)]|$)|\bchown\s{1,4}-R\s{1,4}\S{1,40}\s{1,4}["']?(?:\/|\/(?:etc|usr|bin|var|home|lib))\/?["']?(?=[\s;&|)]|$)/g,
      message: "changes permissions of the whole system",
    },
    {
      pattern:
        /\bgit\s{1,3}(?:-C\s{1,3}\S{1,80}\s{1,3})?push\s[^|;&\n]{0,60}(?:--force(?!-with-lease|-if-includes)\b|(?<=\s)-f\b)[^|;&\n]{0,60}\b(?:main|master|trunk|production|prod|release)\b|\bgit\s{1,3}(?:-C\s{1,3}\S{1,80}\s{1,3})?push\s[^|;&\n]{0,60}\b(?:main|master|trunk|production)\b[^|;&\n]{0,30}(?:--force(?!-with-lease|-if-includes)\b|(?<=\s)-f\b)|\bgit\s{1,3}push\s{1,3}\S{1,40}\s{1,3}\+(?:HEAD:)?(?:refs\/heads\/)?(?:main|master)\b|\bgit\s{1,3}push\s[^|;&\n]{0,60}--(?:mirror|delete)\s[^|;&\n]{0,40}\b(?:main|master)\b/g,
      message: "rewrites a shared branch",
    },
    {
      pattern:
        /\b(?:DROP\s{1,4}(?:DATABASE|SCHEMA)\s{1,4}(?!IF\s{1,4}EXISTS\s{1,4}(?:\w{0,20}test|temp|tmp)|\w{0,20}test|\w{0,20}tmp|temp)[`"[\w{$%][^;\n]{0,60})/g,
      severity: "medium",
      message: "drops a database",
    },
    {
      pattern:
        /\b(?:terraform|tofu|pulumi)\s{1,3}destroy\b[^|;&\n]{0,60}(?:-auto-approve|--yes|-y)\b|\bkubectl\s{1,3}delete\s{1,3}(?:ns|namespace|all|pvc|pv|node)s?\s{1,3}(?:--all\b|\S{0,40}\s{0,3}--all\b)|\baws\s{1,3}s3\s{1,3}rb\s[^|;&\n]{0,80}--force\b|\bgh\s{1,3}repo\s{1,3}delete\b[^|;&\n]{0,80}--(?:yes|confirm)\b/g,
      severity: "medium",
      message: "irreversibly deletes resources without confirmation",
    },
  ],
};
