import { firstUse } from "./found.ts";
import type { AuditedSkill, AuditRule } from "./rule.ts";

/** Code that reaches the network, in a skill that does not say so. */
export const undeclaredNetwork: AuditRule = {
  id: "AUD150",
  name: "undeclared-network",
  severity: "medium",
  message: "code uses the network, but neither the description nor the manifest says so",
  help: "Say in the description which hosts are used and why, or avoid the network.",
  *find(skill) {
    if (declaresNetwork.test(skill.declared)) return;
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

/** Words for the network itself, for how it is spoken and for what is on it. */
const networkTerms = [
  ...["network\\w{0,3}", "internet", "online", "web\\w{0,12}", "sites?", "cloud", "remote\\w{0,2}", "hosted"],
  ...["urls?", "https?", "http_request", "apis?", "rest", "graphql", "endpoints?", "servers?", "mcp", "curl"],
  ...["dns", "domains?", "whois", "ip", "socket\\w{0,2}", "ssh", "ftp", "rss", "feeds?", "e-?mails?"],
];

/** What a skill can only do over a network. */
const networkActions = [
  ...[
    "download\\w{0,3}",
    "upload\\w{0,3}",
    "fetch\\w{0,3}",
    "request\\w{0,3}",
    "send\\w{0,3}",
    "connect\\w{0,4}",
  ],
  ...[
    "crawl\\w{0,3}",
    "scrap(?:e|es|er|ing)",
    "search\\w{0,3}",
    "brows\\w{1,3}",
    "scan\\w{0,4}",
    "sync\\w{0,6}",
  ],
  ...["publish\\w{0,3}", "post(?:s|ing)?", "deploy\\w{0,5}", "integrat\\w{1,6}", "translat\\w{1,5}"],
  ...["lookup", "look up", "quer(?:y|ies)"],
];

/** Data that has to come from elsewhere, because it changes by the hour. */
const freshData = ["news", "weather", "stocks?", "price\\w{0,2}", "live", "real-?time", "latest", "current"];

/** Services, hosts and registries whose name alone says that the network is used. */
const onlineServices = [
  ...[
    "github",
    "gitlab",
    "bitbucket",
    "slack",
    "discord",
    "telegram",
    "notion",
    "jira",
    "confluence",
    "linear",
  ],
  ...["google", "gmail", "drive", "sheets", "calendar", "aws", "azure", "gcp", "s3"],
  ...["openai", "anthropic", "gemini", "llms?", "hugging ?face"],
  ...["wikipedia", "arxiv", "pubmed", "youtube", "twitter", "reddit", "linkedin"],
  ...["stripe", "shopify", "salesforce", "hubspot", "airtable", "figma"],
  ...["vercel", "netlify", "cloudflare", "supabase", "firebase", "docker", "kubernetes"],
  ...["npm", "pypi", "package", "registry"],
];

/** The same in Chinese, where words have no boundaries to look for. */
const chineseTerms = [
  ...["网络", "联网", "网页", "网站", "下载", "上传", "搜索", "接口"],
  ...["请求", "在线", "爬", "邮件", "天气", "新闻", "查询", "云"],
];

/** A description with any of these declares the network, or makes a reader ask about it. */
const declaresNetwork = new RegExp(
  `\\b(?:${[...networkTerms, ...networkActions, ...freshData, ...onlineServices].join("|")})\\b|${chineseTerms.join("|")}`,
  "i",
);

/** Whether a host in the code has a name that the skill gives itself: who says `acme-reports` speaks of acme.com. */
function isNamed({ files, declared }: AuditedSkill): boolean {
  const declaredWords = new Set(declared.toLowerCase().match(/[a-z][a-z\d]{3,40}/g));
  for (const { kind, text } of files) {
    if (kind !== "code" || text === null) continue;
    for (const [, host = ""] of text.matchAll(/https?:\/\/([a-z\d.-]{4,100})/gi))
      if (
        host
          .toLowerCase()
          .split(/[.-]/)
          .some((part) => part.length > 3 && declaredWords.has(part))
      )
        return true;
  }
  return false;
}
