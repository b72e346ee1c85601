import { firstUse } from "./capability.ts";
import type { AuditedSkill, AuditRule } from "./rule.ts";

/** Code that reaches the network, in a skill that does not say so. */
export const undeclaredNetwork: AuditRule = {
  id: "AUD150",
  name: "undeclared-network",
  severity: "medium",
  message: "code reaches the network, and neither the description nor the manifest says so",
  help: "Say in the description what is reached and why, or do without the network.",
  *find(skill) {
    if (words.test(skill.declared)) return;
    const use = firstUse(skill, shapes, isLocal);
    if (use === null || isNamed(skill)) return;
    const { text: _, ...match } = use;
    yield match;
  },
};

const javascript =
  /(?<![.\w])fetch\s?\(|\baxios\s?[.(]|\bhttps?\.(?:get|request)\s?\(|\bnet\.(?:connect|createConnection)\s?\(|\btls\.connect\s?\(|\bnew WebSocket\s?\(|\bdgram\.createSocket\b|\bfrom ["'](?:undici|got|node-fetch|axios|ky|superagent)["']|\brequire\(["'](?:undici|got|node-fetch|axios|superagent)["']\)|\bXMLHttpRequest\b|\bsendBeacon\s?\(/;

const shapes: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  python:
    /\brequests\.(?:get|post|put|patch|delete|head|request|Session)\b|\burllib\.request\b|\burlopen\s?\(|\bhttp\.client\b|\bhttpx\.|\baiohttp\.|\burllib3\.|\bsocket\.(?:create_connection|socket)\s?\(|\bsmtplib\.|\bftplib\.|\bparamiko\.|\bwebsockets?\.connect\b/,
  javascript,
  typescript: javascript,
  shell: /(?:^|[\s;|&(`])(?:curl|wget|nc|ncat|scp|sftp|ftp|telnet)\s{1,4}[^\s#]|\/dev\/(?:tcp|udp)\//,
  powershell: /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|Net\.WebClient|Start-BitsTransfer)\b/i,
  ruby: /\bNet::HTTP\b|\bopen-uri\b|\bTCPSocket\b|\bFaraday\b|\bHTTParty\b/,
  go: /\bhttp\.(?:Get|Post|NewRequest)\b|\bnet\.Dial\b/,
  php: /\bcurl_(?:init|exec)\b|\bfsockopen\b/,
  perl: /\bLWP::|\bIO::Socket\b|\bHTTP::Tiny\b/,
};

function isLocal(line: string): boolean {
  return /\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)\b|["'](?:localhost|127\.0\.0\.1)["']|AF_UNIX|command -v (?:curl|wget)|which (?:curl|wget)/.test(
    line,
  );
}

/** With any of these a reader knows, or would ask: what is on the network, and what cannot be had without it. */
const words =
  /\b(?:network\w{0,3}|internet|online|web\w{0,12}|urls?|https?|apis?|rest|graphql|endpoints?|download\w{0,3}|upload\w{0,3}|fetch\w{0,3}|crawl\w{0,3}|scrap(?:e|es|er|ing)|search\w{0,3}|brows\w{1,3}|request\w{0,3}|remote\w{0,2}|servers?|cloud|hosted|e-?mails?|sync\w{0,6}|sites?|feeds?|rss|news|weather|stocks?|price\w{0,2}|lookup|look up|quer(?:y|ies)|publish\w{0,3}|post(?:s|ing)?|send\w{0,3}|deploy\w{0,5}|mcp|curl|http_request|github|gitlab|bitbucket|slack|discord|telegram|notion|jira|confluence|linear|google|gmail|drive|sheets|calendar|aws|azure|gcp|s3|openai|anthropic|gemini|llms?|hugging ?face|wikipedia|arxiv|pubmed|youtube|twitter|reddit|linkedin|stripe|shopify|salesforce|hubspot|airtable|figma|vercel|netlify|cloudflare|supabase|firebase|docker|kubernetes|npm|pypi|package|registry|dns|domains?|whois|ip|socket\w{0,2}|ssh|ftp|scan\w{0,4}|connect\w{0,4}|integrat\w{1,6}|translat\w{1,5}|live|real-?time|latest|current)\b|网络|联网|网页|网站|下载|上传|搜索|接口|请求|在线|爬|邮件|天气|新闻|查询|云/i;

/** Whether a host in the code has a name that the skill gives itself: who says `acme-reports` speaks of acme.com. */
function isNamed({ files, declared }: AuditedSkill): boolean {
  const said = new Set(declared.toLowerCase().match(/[a-z][a-z\d]{3,40}/g));
  for (const { kind, text } of files) {
    if (kind !== "code" || text === null) continue;
    for (const [, host = ""] of text.matchAll(/https?:\/\/([a-z\d.-]{4,100})/gi))
      if (
        host
          .toLowerCase()
          .split(/[.-]/)
          .some((part) => part.length > 3 && said.has(part))
      )
        return true;
  }
  return false;
}
