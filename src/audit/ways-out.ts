import { isSentence, lineAt, readCommands } from "./blocks.ts";
import { type Search, type Sighting, sightings } from "./found.ts";
import { commandPolarity } from "./polarity.ts";
import type { AuditedFile } from "./rule.ts";
import { dropSites } from "./web-hosts.ts";

export interface WayOut {
  line: number;
  /** Made for taking things away: a webhook, a tunnel, a name lookup that carries data. */
  isCovert: boolean;
}

/** Where a file sends something out of the machine. A request that only reads does not count. */
export function waysOut(file: AuditedFile): WayOut[] {
  const found: WayOut[] = [];
  for (const sighting of sightings(readCommands(file), signs))
    if (!isNothing(sighting))
      found.push({
        line: lineAt(sighting.block, sighting.index).number,
        isCovert: sighting.sign.severity === "critical",
      });
  return found;
}

/** An address in a sentence is named, not called; and sending to this machine is harmless. */
function isNothing({ block, index, words, sign }: Sighting): boolean {
  if (sign.severity !== "critical" && isSentence(block)) return true;
  if (commandPolarity(block, index) === "forbidden") return true;
  return /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)\b/.test(
    block.text.slice(index, index + words.length + 120),
  );
}

const signs: Search = {
  hint: /post|put|patch|urllib|method|fetch\(|sendbeacon|curl|wget|invoke-|\bnc\b|ncat|netcat|socat|\/dev\/|sendto|socket|smtplib|sendmail|nodemailer|scp|rsync|aws|push|http|discord|hooks\.slack|telegram|webhook|requestbin|pipedream|interact\.sh|oast|burp|\bdig\b|nslookup|\bhost\b|ping|resolvectl|gethost|getaddr|dns\./,
  signs: [
    {
      pattern:
        /\b(?:requests|httpx|session|client|aiohttp|axios|http|superagent|got|ky)\.(?:post|put|patch)\(|\burllib\.request\.(?:Request|urlopen)\([^)\n]{0,160}data\s{0,2}=|\bmethod\s{0,3}:\s{0,3}["'](?:POST|PUT)["']|\bfetch\([^)\n]{0,160}\bbody\b|\bsendBeacon\(/g,
    },
    {
      pattern:
        /\bcurl\b[^;\n]{0,300}\s(?:-d|--data(?:-\w{3,10})?|-F|--form|-T|--upload-file|-X\s{0,2}(?:POST|PUT)|--request\s{1,2}(?:POST|PUT))(?![a-z])|\bwget\b[^;\n]{0,200}--(?:post|body)-\w{4}|\bInvoke-(?:WebRequest|RestMethod)\b[^\n]{0,200}-Method\s{1,3}["']?(?:POST|PUT)/gi,
    },
    {
      pattern:
        /(?:\||^|[;&]\s{0,3})\s{0,3}(?:nc|ncat|netcat|socat)\s[^|;&\n]{1,80}|\/dev\/(?:tcp|udp)\/|\.sendto\(|\bsocket\.\w{0,20}connect\(|\bsmtplib\.|\bsendmail\b|\bnodemailer\b|\b(?:scp|rsync)\s[^|;&\n]{0,160}\s\S{1,60}@\S{1,60}:|\baws\s{1,3}s3\s{1,3}(?:cp|sync)\s[^|;&\n]{0,160}s3:|\bgit\s{1,3}push\b/g,
    },
    {
      pattern: new RegExp(
        `discord(?:app)?\\.com/api/webhooks/|hooks\\.slack\\.com/services/|api\\.telegram\\.org/bot|webhook\\.site\\b|requestbin\\.|pipedream\\.net|\\binteract\\.sh\\b|\\boast(?:ify)?\\.(?:com|fun|me|pro|live|online|site)\\b|burpcollaborator\\.net|https?://(?:[\\w-]{1,60}\\.){0,3}(?:${dropSites.map((site) => site.replaceAll(".", "\\.")).join("|")})\\b`,
        "gi",
      ),
      severity: "critical",
    },
    {
      pattern:
        /\b(?:dig|nslookup|host|ping|resolvectl)\s[^|;&\n]{0,60}(?:\$\(|\$\{?\w{1,30}\}?\.|`)|\b(?:gethostbyname|getaddrinfo|dns\.(?:resolve\w{0,4}|lookup))\(\s{0,3}(?:f["'][^"'\n]{0,80}\{|`[^`\n]{0,80}\$\{|\w{1,30}\s{0,2}\+)/g,
      severity: "critical",
    },
  ],
};
