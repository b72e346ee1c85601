import { isSentence } from "./blocks.ts";
import { commandMatches, type Search, type Sighting, wordingMatches } from "./found.ts";
import type { AuditRule, Match } from "./rule.ts";

/** Writes what outlives the skill: agent memory and instructions, shell start files, schedules, hooks, autostart. */
export const persistence: AuditRule = {
  id: "AUD160",
  name: "persistence",
  severity: "high",
  message: "leaves something behind that acts after the skill has finished",
  help: "Show users what to add and let them do it; offer to undo what a script added.",
  *find({ files }) {
    for (const file of files) {
      yield* wordingMatches(file, wordings);
      yield* commandMatches(file, signs, weighInContext);
    }
  },
};

/** A line that documentation shows to a person is lower than a program that does it by itself. */
function weighInContext({ block, sign }: Sighting): Partial<Match> | null {
  if (sign.message === builtPath) return writes.test(block.file.text ?? "") ? { message: startFile } : null;
  if (block.file.kind !== "prose") return {};
  if (isSentence(block)) return null;
  return { severity: sign.severity === "medium" || sign.message === startFile ? "low" : "medium" };
}

// Its path is put together on one line and written to on another.
const builtPath = "contains the path of a shell startup file";
const writes = /write_text|\.write\(|appendFile|writeFile|open\([^)\n]{1,120},\s{0,3}["'][aw]/;
const startFile = "changes a shell startup file";
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
    { pattern: writesTo(agentFile), message: "changes agent instructions or memory" },
    { pattern: opensForWriting(agentFile), message: "changes agent instructions or memory" },
    { pattern: writesTo(started), message: "makes something start automatically" },
    { pattern: opensForWriting(started), message: "makes something start automatically" },
    { pattern: writesTo(hooks), severity: "medium", message: "installs a git hook" },
    { pattern: opensForWriting(hooks), severity: "medium", message: "installs a git hook" },
    {
      pattern:
        /\bgit\s{1,3}config\s{1,3}--(?:global|system)\s{1,3}(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|init\.templateDir|alias\.\w{1,20}\s{1,3}["']?!)/gi,
      message: "changes what git runs for every repository",
    },
    {
      pattern:
        /(?:\|\s{0,3}|^\s{0,8}|[;&]\s{0,3}|["'`(]\s{0,2})(?:sudo\s{1,3})?crontab(?:\s{0,3}$|\s{1,3}(?:-(?:\s|$|["'`)])|(?!-[lreu])[\w./~$-]{2,80}))/g,
      message: "changes the user's scheduled jobs",
    },
    {
      pattern:
        /\blaunchctl\s{1,3}(?:load|bootstrap|enable|submit)\b|\bsystemctl\s{1,3}(?:--user\s{1,3}(?:--now\s{1,3})?enable|enable\s{1,3}(?:--now\s{1,3})?--user)\b|\bschtasks(?:\.exe)?\s{1,3}\/create\b|\bRegister-ScheduledTask\b|\breg(?:\.exe)?\s{1,3}add\b[^|;&\n]{0,120}\\CurrentVersion\\Run|\bNew-ItemProperty\b[^|;&\n]{0,120}\\CurrentVersion\\Run|\bwinreg\.SetValueEx\(/gi,
      message: "makes something start automatically",
    },
    {
      pattern: /\bclaude\s{1,3}mcp\s{1,3}add\s[^|;&\n]{0,80}(?:-s|--scope)\s{1,3}user\b/g,
      severity: "medium",
      message: "adds a tool server to every agent session",
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
      message: "asks to change agent instructions or a shell startup file",
    },
    {
      pattern:
        /\b(?:append|add|write|insert|inject|save|copy|put|persist)\b[^.\n]{0,60}?\b(?:this (?:instruction|rule|prompt|section|text|line|block|directive)|these (?:instructions|rules|lines)|the following (?:instructions?|rules?|lines?|block|section|text|prompt))\b[^.\n]{0,60}?\b(?:to|into|in)\s{1,3}(?:the |your |every |all |each |its |agent['’]?s? |project['’]?s? |user['’]?s? ){0,3}["'`]?(?:[\w~/.-]{0,60}\/)?(?:CLAUDE\.md|AGENTS?\.md|GEMINI\.md|MEMORY\.md|SOUL\.md|HEARTBEAT\.md|\.cursorrules|copilot-instructions\.md|(?:long-term |persistent |permanent )?memory\b)/gi,
      severity: "medium",
      message: "asks to change agent instructions or memory",
    },
    {
      pattern:
        /\b(?:every|each|all) (?:future |new |later |subsequent )(?:session|conversation|chat)s?\b[^.\n]{0,80}\b(?:must|should|will|always)\b[^.\n]{0,60}\b(?:run|execute|load|follow|invoke)\b/gi,
      severity: "low",
      message: "asks to act in later sessions too",
    },
  ],
};
