import { commandMatches, type Search, type Sighting, wordingMatches } from "./found.ts";
import { isSentence } from "./passages.ts";
import type { AuditRule, Match } from "./rule.ts";

/** Writes what outlives the skill: agent memory and instructions, shell start files, schedules, hooks, autostart. */
export const persistence: AuditRule = {
  id: "AUD160",
  name: "persistence",
  severity: "high",
  message: "writes what stays and acts after the skill is done",
  help: "Show people what to add and let them do it; undo on request what a script has added.",
  *find({ files }) {
    for (const file of files) {
      yield* wordingMatches(file, wordings);
      yield* commandMatches(file, signs, inPlace);
    }
  },
};

/** A line that documentation shows to a person is lower than a program that does it by itself. */
function inPlace({ passage, sign }: Sighting): Partial<Match> | null {
  if (sign.message === builtPath) return writes.test(passage.file.text ?? "") ? { message: startFile } : null;
  if (passage.file.kind !== "prose") return {};
  if (isSentence(passage)) return null;
  return { severity: sign.severity === "medium" || sign.message === startFile ? "low" : "medium" };
}

// Its path is put together on one line and written to on another.
const builtPath = "knows the path of a shell's start file";
const writes = /write_text|\.write\(|appendFile|writeFile|open\([^)\n]{1,120},\s{0,3}["'][aw]/;
const startFile = "changes a shell's start file";
const rc =
  "(?:(?<![\\w.])\\.(?:bashrc|bash_profile|bash_login|bash_logout|zshrc|zshenv|zprofile|zlogin|profile|kshrc|cshrc|tcshrc)\\b|fish[/\\\\]config\\.fish|/etc/(?:profile|bash\\.bashrc|environment|zshrc)\\b|\\$PROFILE\\b|Microsoft\\.PowerShell_profile\\.ps1)";
const agentFile =
  "(?:\\bCLAUDE(?:\\.local)?\\.md|\\bAGENTS?\\.md|\\bGEMINI\\.md|\\bMEMORY\\.md|\\bSOUL\\.md|\\bHEARTBEAT\\.md|\\bIDENTITY\\.md|\\.cursorrules|\\.cursor/rules/|\\.windsurfrules|copilot-instructions\\.md|\\.claude(?:/|[\"'],\\s{0,2}[\"']|[\"']\\s{0,2}/\\s{0,2}[\"'])(?:settings(?:\\.local)?\\.json|memory|hooks/|rules/|projects/)|\\.codex/(?:config\\.toml|instructions\\.md)|\\.mcp\\.json)";
const started =
  "(?:/etc/cron\\w{0,10}|/var/spool/cron|Library/Launch(?:Agents|Daemons)|\\.config/(?:autostart|systemd/user)|/etc/systemd/system/|/etc/init\\.d/|/etc/rc\\.local|Start Menu[/\\\\]Programs[/\\\\]Startup|authorized_keys\\b|/etc/sudoers|/etc/ld\\.so\\.preload)";
const hooks = "(?:\\.git/hooks/(?!\\S{0,40}\\.sample))";

/** Shell and program forms of writing to a file whose name ends the match. */
function writesTo(target: string): RegExp {
  return new RegExp(
    `(?:(?<![-=])>{1,2}\\s{0,3}["']?|\\btee\\s{1,3}(?:-a\\s{1,3})?["']?|\\b(?:cp|mv|ln|install|rsync)\\s[^|;&\\n]{1,160}\\s["']?|\\bsed\\s{1,3}-i\\S{0,10}\\s[^|;&\\n]{1,160}\\s["']?|Add-Content\\s[^|;&\\n]{0,40}|Out-File\\s[^|;&\\n]{0,40}|Set-Content\\s[^|;&\\n]{0,40})[^\\s|;&<>"'\`]{0,120}${target}`,
    "g",
  );
}

function opensForWriting(target: string): RegExp {
  return new RegExp(
    `(?:\\bopen\\(|\\.open\\(|(?:write|append)File(?:Sync)?\\(|createWriteStream\\(|copy(?:file|2)?\\(|symlink\\w{0,4}\\()[^\\n]{0,160}${target}["'\`\\s)]{0,4}(?:,\\s{0,3}["'][wax]|,\\s{0,3}(?![^\\n]{0,8}["']r|\\s{0,2}encoding|\\s{0,2}["']utf))|${target}["'\`)\\s]{0,6}\\.(?:write_text|write_bytes|open\\(\\s{0,2}["'][wax])`,
    "g",
  );
}

const signs: Search = {
  hint: /rc\b|profile|login|logout|zshenv|config\.fish|environment|\.md\b|cursor|windsurf|\.claude|\.codex|\.mcp\.json|cron|launch|autostart|systemd|systemctl|init\.d|rc\.local|startup|authorized_keys|sudoers|ld\.so|hook|fsmonitor|sshcommand|templatedir|alias\.|schtasks|scheduledtask|currentversion|winreg|claude mcp/,
  signs: [
    {
      pattern: new RegExp(
        `(?:Path\\.home\\(\\)|homedir\\(\\)|expanduser\\(|environ\\[?["'.]?HOME|env\\.HOME)[^\\n]{0,40}${rc}`,
        "g",
      ),
      message: builtPath,
    },
    { pattern: writesTo(rc), message: startFile },
    { pattern: opensForWriting(rc), message: startFile },
    { pattern: writesTo(agentFile), message: "changes what agents are told or remember" },
    { pattern: opensForWriting(agentFile), message: "changes what agents are told or remember" },
    { pattern: writesTo(started), message: "has something start by itself" },
    { pattern: opensForWriting(started), message: "has something start by itself" },
    { pattern: writesTo(hooks), severity: "medium", message: "puts a hook into a git repository" },
    { pattern: opensForWriting(hooks), severity: "medium", message: "puts a hook into a git repository" },
    {
      pattern:
        /\bgit\s{1,3}config\s{1,3}--(?:global|system)\s{1,3}(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|init\.templateDir|alias\.\w{1,20}\s{1,3}["']?!)/gi,
      message: "changes what git runs for every repository",
    },
    {
      pattern:
        /(?:\|\s{0,3}|^\s{0,8}|[;&]\s{0,3}|["'`(]\s{0,2})(?:sudo\s{1,3})?crontab(?:\s{0,3}$|\s{1,3}(?:-(?:\s|$|["'`)])|(?!-[lreu])[\w./~$-]{2,80}))/g,
      message: "changes the user's schedule",
    },
    {
      pattern:
        /\blaunchctl\s{1,3}(?:load|bootstrap|enable|submit)\b|\bsystemctl\s{1,3}(?:--user\s{1,3}(?:--now\s{1,3})?enable|enable\s{1,3}(?:--now\s{1,3})?--user)\b|\bschtasks(?:\.exe)?\s{1,3}\/create\b|\bRegister-ScheduledTask\b|\breg(?:\.exe)?\s{1,3}add\b[^|;&\n]{0,120}\\CurrentVersion\\Run|\bNew-ItemProperty\b[^|;&\n]{0,120}\\CurrentVersion\\Run|\bwinreg\.SetValueEx\(/gi,
      message: "has something start by itself",
    },
    {
      pattern: /\bclaude\s{1,3}mcp\s{1,3}add\s[^|;&\n]{0,80}(?:-s|--scope)\s{1,3}user\b/g,
      severity: "medium",
      message: "adds a tool server to every session of the agent",
    },
  ],
};

const wordings: Search = {
  hint: /\.md\b|\.claude|\.codex|\.gemini|bashrc|zshrc|profile|openclaw|cursor|memory|sessions?\b|conversations?\b|chats?\b/,
  signs: [
    {
      pattern:
        /\b(?:append|add|write|insert|inject|save|copy|put|store|persist|install)\b[^.\n]{0,80}?\b(?:to|into|in)\s{1,3}(?:the )?(?:user['’]?s? |your |global |agent['’]?s? ){0,3}["'`]?(?:~|\$HOME)\/(?:\.claude\/(?:CLAUDE\.md|settings(?:\.local)?\.json)|\.codex\/AGENTS\.md|\.gemini\/GEMINI\.md|\.bashrc|\.zshrc|\.profile|\.bash_profile|\.openclaw\/\S{1,40}\.md|\.cursor\/\S{1,40})/gi,
      severity: "medium",
      message: "has what agents are told in every session, or a shell's start file, changed",
    },
    {
      pattern:
        /\b(?:append|add|write|insert|inject|save|copy|put|persist)\b[^.\n]{0,60}?\b(?:this (?:instruction|rule|prompt|section|text|line|block|directive)|these (?:instructions|rules|lines)|the following (?:instructions?|rules?|lines?|block|section|text|prompt))\b[^.\n]{0,60}?\b(?:to|into|in)\s{1,3}(?:the |your |every |all |each |its |agent['’]?s? |project['’]?s? |user['’]?s? ){0,3}["'`]?(?:[\w~/.-]{0,60}\/)?(?:CLAUDE\.md|AGENTS?\.md|GEMINI\.md|MEMORY\.md|SOUL\.md|HEARTBEAT\.md|\.cursorrules|copilot-instructions\.md|(?:long-term |persistent |permanent )?memory\b)/gi,
      severity: "medium",
      message: "has what agents are told or remember changed",
    },
    {
      pattern:
        /\b(?:every|each|all) (?:future |new |later |subsequent )(?:session|conversation|chat)s?\b[^.\n]{0,80}\b(?:must|should|will|always)\b[^.\n]{0,60}\b(?:run|execute|load|follow|invoke)\b/gi,
      severity: "low",
      message: "wants to act in later sessions too",
    },
  ],
};
