import { severities } from "../contract/findings.ts";
import { credentialReads } from "./aud140-credential-read.ts";
import { type Search, wordingMatches } from "./found.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";
import { type WayOut, waysOut } from "./ways-out.ts";

/** Credentials that are not the skill's own are read, and there is a way out of the machine for them. */
export const credentialEgress: AuditRule = {
  id: "AUD141",
  name: "credential-egress",
  severity: "critical",
  message: "reads credentials that are not its own and sends data off the machine",
  help: "Do not run it. A skill should receive only the credential it needs, by name, and send it only to its service.",
  *find({ files }) {
    const exits = new Map(files.map((file) => [file, waysOut(file)]));
    for (const file of files) {
      for (const match of credentialReads(file)) {
        const severity = judgeSeverity(match, file, exits);
        if (severity !== null) yield { ...match, severity, message: credentialEgress.message };
      }
      yield* wordingMatches(file, wordings);
    }
  },
};

/** On one line it is certain; in one program near enough; in two files of a skill a strong suspicion. */
function judgeSeverity(match: Match, file: AuditedFile, exits: ReadonlyMap<AuditedFile, WayOut[]>) {
  const own = exits.get(file) ?? [];
  if (match.severity === "low") return null;
  if (own.some(({ line }) => line === match.line)) return "critical";
  if (severities.indexOf(match.severity ?? "high") > severities.indexOf("high")) return null;
  if (own.length > 0)
    return file.kind === "prose" && !own.some(({ isCovert }) => isCovert) ? "high" : "critical";
  const elsewhere = [...exits].filter(([{ kind }]) => kind === "code").flatMap(([, list]) => list);
  if (elsewhere.some(({ isCovert }) => isCovert)) return "critical";
  return elsewhere.length > 0 && file.kind === "code" ? "high" : null;
}

const what =
  "(?:ssh keys?|private keys?|credentials|passwords?|secrets|api keys?|tokens|environment variables|env(?:ironment)? vars|cookies|seed phrases?|\\.env(?: files?)?|~/\\.(?:ssh|aws)\\S{0,40})";

const wordings: Search = {
  hint: /send|upload|post|exfiltrate|forward|transmit|email|submit|leak|发送|上传|提交|转发|泄露/,
  signs: [
    {
      pattern: new RegExp(
        `\\b(?:send|upload|post|exfiltrate|forward|transmit|email|submit|leak)\\b[^.\\n]{0,60}\\b(?:the |their |all |any |every |user['’]?s? |these |found |collected ){0,3}(?<![\\w-])${what}[^.\\n]{0,80}\\bto\\b[^.\\n]{0,30}(?:https?://|webhook|\\S{1,40}@\\S{1,40}\\.\\w{2})`,
        "gi",
      ),
      message: "has the agent send credentials elsewhere",
    },
    {
      pattern:
        /(?:发送|上传|提交|转发|泄露)(?:用户|所有|全部|本地|的|你){0,4}(?:密钥|私钥|密码|凭证|凭据|令牌|环境变量|助记词)[^。\n]{0,40}(?:到|至|给)[^。\n]{0,20}https?:\/\//g,
      message: "has the agent send credentials elsewhere",
    },
  ],
};
