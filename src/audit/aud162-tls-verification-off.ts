import { isSentence } from "./blocks.ts";
import { commandMatches, type Search, type Sighting } from "./found.ts";
import type { AuditRule, Match } from "./rule.ts";
import { isLocal } from "./web-hosts.ts";

/** Connections that no longer check who answers. */
export const tlsVerificationOff: AuditRule = {
  id: "AUD162",
  name: "tls-verification-off",
  severity: "medium",
  message: "disables certificate checks",
  help: "Trust the certificate that is needed (a CA bundle) instead of any certificate.",
  *find({ files }) {
    for (const file of files) yield* commandMatches(file, signs, weighInContext);
  },
};

/** An option named in a sentence is talked about; and on the own machine there is nobody in between. */
function weighInContext({ block, index, words }: Sighting): Partial<Match> | null {
  if (isSentence(block)) return null;
  const context = block.text.slice(Math.max(0, index - 200), index + words.length + 200);
  const hosts = [...context.matchAll(/https?:\/\/(\[?[\w.:-]{1,200})/g)].map(([, host]) =>
    (host ?? "").replace(/:\d{1,5}$/, ""),
  );
  return hosts.length > 0 && hosts.every(isLocal) ? null : {};
}

const signs: Search = {
  hint: /verify|cert|unverified|check_hostname|\bssl\b|rejectunauthorized|node_tls|strict-?ssl|curl|insecure|danger_accept|hostname/,
  signs: [
    {
      pattern:
        /\b(?:requests|httpx|session|client|http|s|self\.\w{1,30}|aiohttp)\.?\w{0,20}\([^\n]{0,240}\b(?:verify|verify_ssl|ssl)\s{0,2}=\s{0,2}False\b|\b(?:session|s|client|self\.\w{1,30})\.verify\s{0,2}=\s{0,2}False\b|^\s{0,60}verify\s{0,2}=\s{0,2}False,?\s{0,3}$|\bverify_ssl\s{0,2}=\s{0,2}False\b/g,
    },
    {
      pattern:
        /\bssl\._create_unverified_context\b|\bssl\.CERT_NONE\b|\bcheck_hostname\s{0,2}=\s{0,2}False\b|\bTCPConnector\([^)\n]{0,100}ssl\s{0,2}=\s{0,2}False\b/g,
    },
    {
      pattern:
        /\brejectUnauthorized["']?\s{0,3}:\s{0,3}false\b|\bNODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,3}\s{0,3}[=:]\s{0,3}["']?0|\bstrictSSL["']?\s{0,3}:\s{0,3}false\b|\bnpm\s{1,3}(?:config\s{1,3})?set\s{1,3}strict-ssl[ =]false\b|^\s{0,4}strict-ssl\s{0,2}=\s{0,2}false\b/g,
    },
    {
      pattern:
        /\bcurl(?:\.exe)?\s(?:[^|;&\n]{0,300}\s)?(?:--insecure\b|--proxy-insecure\b|-(?!-)[a-zA-Z]{0,8}k[a-zA-Z]{0,8}(?=\s|$))/g,
    },
    {
      pattern:
        /\bwget\s[^|;&\n]{0,300}--no-check-certificate\b|\bhttp\.sslVerify[= ]{1,3}["']?(?:false|0)\b|\bGIT_SSL_NO_VERIFY\s{0,2}=\s{0,2}["']?(?:1|true)|\baws\s[^|;&\n]{0,200}--no-verify-ssl\b|\bPYTHONHTTPSVERIFY\s{0,2}=\s{0,2}["']?0/g,
    },
    {
      pattern:
        /\bInsecureSkipVerify\s{0,3}[:=]\s{0,3}true\b|-SkipCertificateCheck\b|\bdanger_accept_invalid_(?:certs|hostnames)\(\s{0,2}true|\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s{0,3},\s{0,3}(?:false|0)|\bVERIFY_NONE\b|ServerCertificateValidationCallback\s{0,3}=\s{0,3}\{?\s{0,3}\$?true|\bTrustAllCerts?\w{0,20}\b|\bALLOW_ALL_HOSTNAME_VERIFIER\b/g,
    },
  ],
};
