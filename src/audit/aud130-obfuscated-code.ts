import { readCommands } from "./blocks.ts";
import { commandMatches, findTainted, type Search, toMatch } from "./found.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** Code that is written so that nobody can read it and is made readable only to be run. */
export const obfuscatedCode: AuditRule = {
  id: "AUD130",
  name: "obfuscated-code",
  severity: "high",
  message: "decodes hidden code and runs it",
  help: "Write readable code; data may be encoded, but not what is executed.",
  *find({ files }) {
    for (const file of files) {
      yield* commandMatches(file, signs);
      yield* findTainted(file, decoded, "decodes hidden code and runs it");
      yield* scrambledNames(file);
    }
  },
};

const decode =
  "(?:(?:\\w{1,20}\\.)?(?:standard_|urlsafe_)?(?:b64|a85|b85|b32|b16)decode|binascii\\.(?:unhexlify|a2b_\\w{3,6})|bytes\\.fromhex|bytearray\\.fromhex|codecs\\.decode|zlib\\.decompress|gzip\\.decompress|lzma\\.decompress|bz2\\.decompress|marshal\\.loads|atob|Buffer\\.from\\([^)]{1,4000},\\s{0,3}[\"'](?:base64|hex)|String\\.fromCharCode|unescape|decodeURIComponent\\(escape|base64_decode|gzinflate|str_rot13|Base64\\.decode64|FromBase64String)";
const pipedDecode =
  "(?:base64\\s{1,3}(?:-\\w{0,3}[dD]\\w{0,3}|--decode)|openssl\\s{1,3}(?:base64|enc)\\s[^|\\n]{0,60}-d\\b|xxd\\s{1,3}-r\\b|uudecode|base32\\s{1,3}(?:-d|--decode)|rev\\b|tr\\s{1,3}['\"]?[A-Za-z-]{2,60}['\"]?\\s{1,3}['\"]?[A-Za-z-]{2,60}['\"]?)";
const shell = "(?:sudo\\s{1,3})?(?:(?:ba|z|da|k)?sh|python[\\d.]{0,4}|node|perl|ruby|php|eval)";

const signs: Search = {
  hint: /exec|eval|function|settimeout|vm\.run|system|subprocess|child_process|assert|popen|iex|invoke-expression|base64|openssl|xxd|uudecode|base32|\brev\b|\btr\b|powershell|pwsh|getattr|globals|locals|window|globalthis|global\b|__builtins__|__import__|require\(|printf|echo|mainmodule|\bself|\bthis/,
  signs: [
    {
      pattern: new RegExp(
        `(?:(?<![\\w.])|(?<=child_process["']\\)\\.))(?:exec|eval|Function|execfile|setTimeout|vm\\.run\\w{2,20}|os\\.system|subprocess\\.\\w{2,12}|execSync|child_process\\.\\w{2,12}|instance_eval|assert|system|popen|iex|Invoke-Expression)\\s{0,3}\\(?\\s{0,4}(?:[\\w.$]{1,40}\\(\\s{0,3}|\\[|new\\s|bytes|\\(|__import__\\([^)]{1,20}\\)\\.){0,5}(?:["']\\w{1,12}["'],\\s{0,2}["']-[ce]["'],\\s{0,2})?${decode}`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${pipedDecode}[^|\\n]{0,120}(?:\\|[^|\\n]{1,80}){0,2}?\\|\\s{0,4}${shell}(?![\\w./=-])(?!\\s{1,4}-[mcenp])`,
        "g",
      ),
    },
    {
      pattern: new RegExp(
        `(?:\\b${shell}\\s{1,3}(?:-\\w{1,4}\\s{1,3})?|\\beval\\s{1,3})["']?(?:\\$\\(|\`|<\\()[^)\`\\n]{1,4000}\\|\\s{0,4}${pipedDecode}`,
        "g",
      ),
    },
    {
      pattern:
        /\b(?:powershell|pwsh)(?:\.exe)?\b[^|;&\n]{0,120}\s[-/]e(?:nc|ncodedcommand|c)?\s{1,3}["']?[A-Za-z0-9+/=]{40}/gi,
      message: "starts PowerShell with an encoded command",
    },
    {
      pattern:
        /(?<![\w.])(?:exec|eval|compile|Function)\s{0,3}\(\s{0,4}(?:["']{2}\.join\(|["']{2}\s{0,2}\.join|\[[^\]]{0,200}\]\.map\([^)]{0,60}fromCharCode|bytes\(\s{0,2}\[|chr\(|(?:["']\w{0,4}["']\s{0,2}\+\s{0,2}){3})/g,
    },
    {
      pattern:
        /\b(?:getattr|globals\(\)|locals\(\)|window|globalThis|global|__builtins__|self|this|process\.mainModule)\s{0,2}[,([]\s{0,3}(?:__builtins__\s{0,2},\s{0,2})?["'](?:e|ex|exe|ev|eva|sy|sys|syst|req|requ|po|pop|s)["']\s{0,3}\+\s{0,3}["']\w{1,6}["']/g,
      message: "assembles the name of what it calls from pieces",
    },
    {
      pattern:
        /__import__\(\s{0,3}(?:["']\w{1,10}["']\s{0,3}\+\s{0,3}["']\w{1,10}["']|["']{2}\.join|["'][\w.]{1,20}["']\[::-1\]|base64|codecs)|\brequire\(\s{0,3}["']\w{1,10}["']\s{0,3}\+\s{0,3}["']\w{1,10}["']\s{0,3}\)/g,
      message: "assembles the name of what it loads from pieces",
    },
    {
      pattern:
        /(?<![\w.])(?:exec|eval|Function)\s{0,3}\(\s{0,4}[bu]?["'`](?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}){8}/gi,
    },
    {
      pattern:
        /\b(?:printf|echo\s{1,3}-e)\s{1,3}["']?(?:\\{1,2}x[0-9a-f]{2}|\\{1,2}[0-7]{3}){8}[^|\n]{0,4000}\|\s{0,4}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b/gi,
    },
    {
      pattern: /\beval\(function\(p,a,c,k,e,[dr]\)/g,
      message: "is packed JavaScript that unpacks and runs itself",
    },
  ],
};

const decoded = new RegExp(
  `${decode}|\\$\\([^)\\n]{1,4000}\\|\\s{0,4}${pipedDecode}|(?:["']{2}\\s{0,2}\\.join\\(\\s{0,3}(?:map\\(\\s{0,3})?\\[?\\s{0,3}chr\\b)`,
);

/** Programs that rename things to `_0x3fa2` for no reader's sake. */
function* scrambledNames(file: AuditedFile): Generator<Match> {
  if (file.kind !== "code") return;
  for (const block of readCommands(file)) {
    const names = new Set(block.text.match(/\b_0x[0-9a-f]{4,8}\b/g));
    if (names.size < 4) continue;
    const index = block.text.indexOf("_0x");
    const sign = { pattern: /_0x/g, message: "is obfuscated" };
    yield toMatch({ block, index, words: block.text.slice(index, index + 160), sign });
    return;
  }
}
