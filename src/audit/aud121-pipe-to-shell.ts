import { commandMatches, type Search, type Sighting } from "./found.ts";
import type { AuditRule, Match } from "./rule.ts";
import { hostStatus } from "./web-hosts.ts";

/** A download that goes straight into an interpreter, so that nobody ever sees what was run. */
export const pipeToShell: AuditRule = {
  id: "AUD121",
  name: "pipe-to-shell",
  severity: "high",
  message: "runs a download without review",
  help: "Use a package manager, or download to a file, verify its digest, and run that.",
  *find({ files }) {
    for (const file of files) yield* commandMatches(file, signs, byHost);
  },
};

/** Who answers decides: a project's own documented installer is common practice, an address nobody vouches for is not. */
function byHost({ words, sign }: Sighting): Partial<Match> | null {
  const whole = [...words.matchAll(address)].map(([found]) => found);
  const addresses = whole.length > 0 ? whole : [...words.matchAll(bareHost)].map(([found]) => found);
  if (addresses.length === 0) return /[$%{]/.test(words) ? {} : null; // "curl | bash" as the name of a habit
  const statuses = addresses.map(hostStatus);
  if (statuses.includes("nobody"))
    return {
      severity: "critical",
      message:
        "runs a download from an untrusted address (unencrypted, bare IP, paste site or URL shortener)",
    };
  if (statuses.every((status) => status === "known-installer"))
    return {
      severity: "medium",
      message: "runs the installer of a well-known project over https without review",
    };
  if (
    addresses.every((found) =>
      /^(?:https?:\/\/)?(?:[\w-]{1,60}\.){0,3}example\.(?:com|org|net)\b/i.test(found),
    )
  )
    return { severity: "low" };
  return sign.severity === undefined ? {} : { severity: sign.severity };
}

const address = /https?:\/\/[^\s"'`)<>|]{1,300}/gi;
const bareHost =
  /(?<=[\s"'`(])(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12}(?:\/[^\s"'`)<>|]{0,300})?(?=[\s"'`)|])/gi;

const get = "(?:curl|wget|fetch|aria2c|https?ie?|lwp-request|busybox wget)(?:\\.exe)?";
const shell = "(?:/(?:usr/)?(?:local/)?bin/)?(?:(?:ba|z|k|da|c|tc|fi|a)?sh)";
const other = "(?:/(?:usr/)?(?:local/)?bin/)?(?:(?:python|pypy)[\\d.]{0,4}|node|perl|ruby|php|osascript|lua)";
const before =
  "(?:sudo(?:\\s{1,3}-\\S{1,10}){0,3}\\s{1,3}|env\\s{1,3}|exec\\s{1,3}|[A-Z_]{1,30}=\\S{0,60}\\s{1,3}|doas\\s{1,3}|nohup\\s{1,3}){0,4}";

const signs: Search = {
  hint: /curl|wget|fetch|aria2c|httpie?\s|lwp-request|iwr|irm|invoke-|downloadstring|\biex\b/,
  signs: [
    // curl … | sh, also by way of gunzip, tee or base64; `| python -c` and `-m json.tool` only read.
    {
      pattern: new RegExp(
        `\\b${get}\\s[^|\\n]{1,400}(?:\\|[^|\\n]{1,120}){0,3}?\\\\?\\|\\s{0,4}${before}(?:${shell}(?![\\w./=:-])(?!\\s{1,4}(?:\\||[A-Za-z]{3,}\\b))|${other}(?![\\w./=:-])(?!\\s{1,4}(?:-[mcenprEl0iaF]|[\\w./]{2,})))`,
        "g",
      ),
    },
    // sh -c "$(curl …)", bash <(curl …), eval "$(curl …)", source <(curl …)
    {
      pattern: new RegExp(
        `(?:\\b(?:${shell}|${other}|eval|exec|source)|(?:^|[;&|]\\s{0,3})\\.)\\s{0,4}(?:-\\w{1,6}\\s{1,4}){0,3}["']?(?:\\$\\(|<\\s{0,2}\\(|\`)\\s{0,4}${get}\\s[^)\`\\n]{1,400}`,
        "g",
      ),
    },
    // iwr … | iex, iex (irm …), IEX (New-Object Net.WebClient).DownloadString('…')
    {
      pattern:
        /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b[^|\n]{1,300}\|\s{0,4}(?:iex|invoke-expression)\b/gi,
    },
    {
      pattern:
        /\b(?:iex|invoke-expression)\b[^;\n]{0,80}\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^;\n]{0,300}/gi,
    },
    // curl -o x.sh … && sh x.sh, in one command
    {
      pattern: new RegExp(
        `\\b(?:curl|wget)\\s[^|;&\\n]{0,200}?(?:-o|-O|--output|--output-document|>)[\\s=]{0,3}["']?([\\w./~$-]{1,80})["']?[^|;&\\n]{0,200}(?:&&|;)\\s{0,4}(?:chmod\\s[^|;&\\n]{1,100}(?:&&|;)\\s{0,4})?${before}(?:${shell}\\s{1,4}(?:-\\w{1,4}\\s{1,4})?)?["']?(?:\\./)?\\1(?![\\w.-])`,
        "g",
      ),
      severity: "medium",
      message: "downloads a program and runs it in the same command",
    },
  ],
};
