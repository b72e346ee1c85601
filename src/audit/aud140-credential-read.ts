import { isSentence } from "./blocks.ts";
import { commandMatches, type Search, type Sighting, wordingMatches } from "./found.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** Reads keys and passwords that are not the skill's own: SSH, cloud, browsers, key stores, the whole environment. */
export const credentialRead: AuditRule = {
  id: "AUD140",
  name: "credential-read",
  severity: "high",
  message: "reads credentials that are not its own",
  help: "Read only the variables that the skill declares, by name.",
  *find({ files }) {
    for (const file of files) yield* credentialReads(file);
  },
};

/** The same for AUD141, which checks where they go. */
export function* credentialReads(file: AuditedFile): Generator<Match> {
  // What a command line does is looked at below.
  yield* wordingMatches(file, wordings, ({ block }) => (block.lines[0]?.isCode === true ? null : {}));
  yield* commandMatches(file, signs, weighInContext);
}

/** A path in a sentence is only named; a command shown to people is lower than one a program runs. */
function weighInContext({ block, sign }: Sighting): Partial<Match> | null {
  if (isSentence(block)) return null;
  if (block.file.kind === "prose" && sign.severity === undefined && sign.message === undefined)
    return { severity: "medium" };
  return {};
}

const home =
  "(?:~|\\$\\{?HOME\\}?|\\$env:USERPROFILE|%USERPROFILE%|/root|/home/[\\w.$-]{1,40}|/Users/[\\w.$-]{1,40})";
// Public keys, and what ssh itself does with a key, do not count.
const keyFile =
  "\\.ssh[/\\\\](?:id_(?:rsa|dsa|ecdsa|ed25519)(?!\\.pub|[\\w-]{0,40}\\.pub)|\\*|id_\\*|identity\\b)";
const cloud =
  "\\.aws[/\\\\]credentials\\b|gcloud[/\\\\](?:credentials\\.db|access_tokens\\.db|application_default_credentials\\.json|legacy_credentials)|\\.azure[/\\\\](?:accessTokens\\.json|msal_token_cache|azureProfile\\.json)|\\.git-credentials\\b|\\.netrc\\b|\\.pgpass\\b|\\.pypirc\\b|\\.docker[/\\\\]config\\.json|\\.kube[/\\\\]config\\b|\\.gnupg[/\\\\](?:private-keys|secring)|\\.config[/\\\\]gh[/\\\\]hosts\\.yml|\\.claude[/\\\\]\\.credentials\\.json|\\.codex[/\\\\]auth\\.json|\\.(?:openclaw|clawdbot|moltbot)[/\\\\]\\.env|\\.vault-token\\b";
const stores =
  "Login Data\\b|\\bkey[34]\\.db\\b|\\blogins\\.json\\b|\\bcookies\\.sqlite\\b|(?:Chrome|Chromium|Brave-Browser|Edge)[^\"'\\n]{0,60}(?:Cookies|Local State|Web Data)\\b|login\\.keychain(?:-db)?\\b|\\bwallet\\.dat\\b|\\.config[/\\\\]solana[/\\\\]id\\.json|\\.electrum[/\\\\]wallets|nkbihfbeogaeaoehlefnkodbefgpgknn|Exodus[/\\\\]exodus\\.wallet|/etc/shadow\\b";
const secret = `(?:${keyFile}|${cloud}|${stores})`;

const shellRead =
  "(?:cat|less|more|head|tail|cp|mv|tar|zip|rsync|scp|base64|xxd|gzip|strings|grep|awk|sed|type|Get-Content|gc|Copy-Item|sqlite3|jq|xargs|read_file|dd if=|curl\\s[^|;&\\n]{0,200}@|nc\\s[^|;&\\n]{0,80}<)";
const codeRead =
  "(?:\\bopen\\(|readFile(?:Sync)?\\(|read_text|read_bytes|File\\.read|createReadStream\\(|copyfile\\(|copy2?\\(|copytree\\(|glob\\(|iglob\\(|expanduser\\(|Path\\.home\\(\\)|homedir\\(\\)|os\\.path\\.join\\(|path\\.join\\(|file_get_contents\\(|ReadFile\\(|read_to_string\\(|sqlite3\\.connect\\(|Bun\\.file\\()";

const signs: Search = {
  hint: /\.ssh|\.aws|gcloud|\.azure|git-credentials|netrc|pgpass|pypirc|\.docker|\.kube|\.gnupg|hosts\.yml|credentials|auth\.json|\.env\b|vault|login data|key[34]\.db|logins\.json|cookie|local state|web data|keychain|wallet|solana|nkbih|shadow|security|cmdkey|mimikatz|sekurlsa|lazagne|cryptunprotect|environ|process\.env|\benv\b|env:|printenv|\bset\b|export|declare|id_(?:rsa|ed|ecdsa|dsa)/,
  signs: [
    {
      pattern: new RegExp(
        `\\b(?:(?:tar|zip)\\s[^|;&\\n]{1,120}|(?:cp|rsync|scp|mv)\\s{1,3}(?:-\\S{1,12}\\s{1,3}){0,4}["']?(?=\\S{1,60}\\s{1,3}\\S))${home}[/\\\\]\\.(?:ssh|aws|gnupg)/?(?=["'\\s;|&)]|$)`,
        "g",
      ),
    },
    {
      pattern:
        /["']\.(?:ssh|aws|gnupg|kube|docker|config\/gcloud)["']\s{0,3},\s{0,3}["']\.(?:ssh|aws|gnupg|kube|docker|config\/gcloud)["']/g,
    },
    {
      pattern: /\$\(\s{0,2}(?:env|printenv)\s{0,2}\)/g,
      message: "reads the whole environment, including every key in it",
    },
    { pattern: new RegExp(`\\b${shellRead}\\s{0,4}[^|;&\\n]{0,160}?(?:${home}[/\\\\])?${secret}`, "g") },
    {
      pattern: new RegExp(
        `${codeRead}[^;\\n]{0,160}?(?:${secret}|["']\\.ssh["']|["']\\.aws["']\\s{0,3}[,/]\\s{0,3}["']credentials["']|["']id_(?:rsa|ed25519|ecdsa|dsa)["'])`,
        "g",
      ),
    },
    {
      pattern: new RegExp(
        `\\b\\w{1,40}\\s{0,3}[:=]\\s{0,3}\\[?\\s{0,3}f?["'\`](?:${home})[/\\\\](?:${keyFile}|\\.aws[/\\\\]credentials)`,
        "g",
      ),
    },
    {
      pattern:
        /\bsecurity\s{1,3}(?:find-(?:generic|internet)-password\s[^|;&\n]{0,120}-[gw]\b|dump-keychain\b|export\s[^|;&\n]{0,60}-k\b)/g,
      severity: "medium",
      message: "reads a password from the macOS keychain",
    },
    {
      pattern:
        /\bsecurity\s{1,3}dump-keychain\b|\bcmdkey\s{1,3}\/list\b|\bvaultcmd\s{1,3}\/list|\bmimikatz\b|\bsekurlsa::|\blazagne\b|\bCryptUnprotectData\b|\bbrowser_cookie3\b|\bbrowserCookie3\b/gi,
      message: "dumps a key store",
    },
    {
      pattern:
        /\b(?:json\.dumps|str|repr|pickle\.dumps|urlencode|yaml\.dump)\(\s{0,3}(?:dict\(\s{0,3})?os\.environ(?:\.copy\(\))?\s{0,3}\)|JSON\.stringify\(\s{0,3}(?:\{\s{0,3}\.\.\.)?process\.env\s{0,3}\}?\s{0,3}[,)]|\b(?:json|data|body|params|payload|files)\s{0,3}[=:]\s{0,3}(?:dict\(\s{0,3})?(?:os\.environ|process\.env)\b(?![.[]\w|\.get|\[)|ENV\.(?:to_h|to_json|inspect)\b/g,
      message: "reads the whole environment, including every key in it",
    },
    {
      pattern:
        /(?:^|[;&|(`]\s{0,3}|\$\(\s{0,2})(?:env|printenv|set|export\s{1,3}-p|declare\s{1,3}-x|Get-ChildItem\s{1,3}env:|gci\s{1,3}env:)\s{0,3}(?:\|\s{0,3}(?:base64|curl|nc|ncat|gzip|xxd|openssl|tee|socat|wget|grep\s[^|\n]{0,60}(?:key|token|secret|pass|cred))|>{1,2}\s{0,3}(?!\$\{?\w{0,30}_?ENV\b|\$\{?CLAUDE_ENV_FILE|\/dev\/null)[\w./~$-]{2})/gi,
      message: "reads the whole environment, including every key in it",
    },
    {
      pattern:
        /\bfor\s{1,3}\w{1,20}\s{0,2},\s{0,2}\w{1,20}\s{1,3}in\s{1,3}os\.environ\.items\(\)[^\n]{0,200}(?:key|token|secret|passw|cred)/gi,
      message: "searches the environment for keys",
    },
    {
      pattern:
        /Object\.(?:entries|keys)\(\s{0,3}process\.env\s{0,3}\)[^\n]{0,200}(?:key|token|secret|passw|cred)/gi,
      message: "searches the environment for keys",
    },
    {
      pattern:
        /\b(?:open\(|readFile(?:Sync)?\(|Path\()\s{0,3}(?:os\.path\.expanduser\(\s{0,3})?["'`](?:~|\$HOME|\/root|\/home\/\w{1,30}|\.\.(?:\/\.\.){0,8})\/(?:[\w-]{1,30}\/){0,4}\.env\b|\bfind\s{1,3}(?:\/|~|\$HOME)\S{0,20}\s[^|;\n]{0,80}-name\s{1,3}["']?\*?\.env\b/g,
      message: "reads a `.env` file outside its folder",
    },
  ],
};

const verb =
  "(?:read|open|cat|collect|gather|copy|extract|include|upload|send|dump|harvest|grab|steal|steals|exfiltrate|print|output|fetch|retrieve)";

const wordings: Search = {
  hint: /\.ssh|\.aws|git-credentials|netrc|\.gnupg|\.kube|ssh keys?|private key|browser|passwords|keychain|environment var|seed phrase|wallet|api keys and|私钥|密钥|浏览器|环境变量|助记词|钥匙串/,
  signs: [
    {
      pattern: new RegExp(
        `\\b${verb}\\b[^.\\n]{0,60}?(?:contents? of )?["'\`(]{0,2}(?:${home}[/\\\\])(?:${keyFile}|\\.aws[/\\\\]credentials\\b|\\.ssh/?(?=[\`"')\\s,])|\\.git-credentials\\b|\\.netrc\\b|\\.gnupg\\b|\\.kube[/\\\\]config\\b)`,
        "gi",
      ),
      message: "has the agent read credentials that are not its own",
    },
    {
      pattern:
        /\b(?:collect|gather|harvest|grab|dump|extract|exfiltrate|steal|send|upload)\s{1,3}(?:all |any |every |the )?(?:of )?(?:the |user['’]?s? |their |your |saved |stored |browser ){0,3}(?:ssh keys?|private keys?|browser (?:cookies|passwords)|saved passwords|keychain (?:items|passwords|entries)|environment variables|seed phrases?|wallet (?:files|keys)|api keys and)\b/gi,
      message: "has the agent collect credentials",
    },
    {
      pattern:
        /(?:读取|收集|窃取|上传|发送|复制|导出)(?:用户|本机|本地|系统)?(?:的)?(?:所有|全部)?(?:的)?\s{0,2}(?:SSH\s{0,2}(?:私钥|密钥)|私钥|浏览器(?:密码|cookie)|环境变量|助记词|钥匙串|~\/\.ssh|~\/\.aws)/gi,
      message: "has the agent collect credentials",
    },
  ],
};
