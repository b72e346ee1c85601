import { readParagraphs } from "./blocks.ts";
import { commandMatches, type Search, wordingMatches } from "./found.ts";
import type { AuditedFile, AuditRule } from "./rule.ts";
import { dropSites } from "./web-hosts.ts";

/** A set-up step that makes a person or an agent fetch and run a payload before the skill will "work". */
export const fakePrerequisite: AuditRule = {
  id: "AUD120",
  name: "fake-prerequisite",
  severity: "critical",
  message: "a setup step fetches and runs a payload of hidden content or origin",
  help: "Do not run it. Declare dependencies by package and version from a public registry.",
  *find({ files }) {
    for (const file of files) {
      if (file.kind === "binary" || !isSetUp(file)) continue;
      yield* wordingMatches(file, signs);
      yield* commandMatches(file, disguised, ({ block }) =>
        setUp.test(`${block.heading}\n${block.before}`) ? {} : null,
      );
    }
  },
};

/** Whether a file speaks of setting something up at all; a paste site in a list of sources is not a step. */
function isSetUp(file: AuditedFile): boolean {
  return readParagraphs(file).some(({ text }) => setUp.test(text));
}

const setUp =
  /\b(?:prerequisites?|requirements?|required|requires?|set-?up|install\w{0,6}|before (?:using|you|running|the|first|start\w{0,3})|first[- ]run|activat\w{1,4}|getting started|must (?:be|run|have|first)|need(?:s|ed)?)\b|前置|安装|准备|首先|依赖|使用前/i;

const locked = "asks the user to unpack a password-protected archive, which scanners cannot inspect";
const drops = dropSites.map((site) => site.replaceAll(".", "\\.")).join("|");
const archive = "\\.(?:zip|rar|7z|tgz|tar(?:\\.gz)?|dmg|exe|msi)\\b";
const run =
  "(?:run|execut\\w{1,3}|launch|open|paste|install|start|double-click|copy|eval|source|bash|sh|python3?|node|运行|执行|打开|粘贴|安装|复制|启动)";

const signs: Search = {
  hint: /archive|pass|pwd|pw\b|unzip|7z|unrar|密码|口令|https?:|\.(?:com|io|sh|co|org|st|ee|nz|net|rs|it|moe|app|us|lt|at|se|site)\/|terminal|powershell|command prompt|win\s?\+\s?r/,
  signs: [
    {
      pattern: new RegExp(`${archive}[^.。]{0,80}\\barchive (?:key|code|password)\\b`, "gi"),
      message: locked,
    },
    {
      pattern: new RegExp(
        `https?://\\d{1,3}(?:\\.\\d{1,3}){3}[^\\s"'\`)]{0,100}\\.(?:zip|rar|7z|exe|msi|dmg|pkg|sh|bat|ps1|tgz)\\b[^。]{0,120}\\b${run}\\b`,
        "gi",
      ),
      message: "asks the user to run a program from a bare IP address",
    },
    {
      pattern: new RegExp(
        `${archive}[^.。]{0,160}(?:[.。][^.。]{0,60})?\\b(?:(?:extract|unzip|unpack|unlock|open|decrypt)\\w{0,3}\\s[^.]{0,40}\\b)?(?:password|passphrase|passcode|pass|pwd|pw)\\b\\s{0,3}(?:is|:|=|\`|"|'|\\()`,
        "gi",
      ),
      message: locked,
    },
    {
      pattern:
        /\b(?:extract|unzip|unpack|decompress)\w{0,3}\b[^.。]{0,100}\b(?:using|with|by)\b[^.。]{0,20}\b(?:password|passphrase|passcode|pass(?=\s{0,2}[:=`"']))(?![\w-])/gi,
      message: locked,
    },
    {
      pattern:
        /\bunzip\s[^|;&\n]{0,40}-P\s{0,2}\S{1,60}|\b7z[az]?\s{1,3}[xe]\s[^|;&\n]{0,100}-p\S{1,60}|\bunrar\s{1,3}[xe]\s[^|;&\n]{0,60}-p[^\s-]\S{0,60}/g,
      message: "unpacks a password-protected archive, which scanners cannot inspect",
    },
    {
      pattern: /(?:解压|压缩包|安装包)[^。]{0,60}(?:密码|口令)\s{0,2}(?:是|为|[::])/g,
      message: locked,
    },
    {
      pattern: new RegExp(
        `\\b${run}\\b[^.。]{0,160}(?:https?://)?\\b(?:[\\w-]{1,40}\\.){0,3}(?:${drops})/\\S{0,100}`,
        "gi",
      ),
      message: "asks the user to run something from a paste or file-drop site",
    },
    {
      pattern: new RegExp(
        `\\b(?:[\\w-]{1,40}\\.){0,3}(?:${drops})/\\S{0,100}[^。]{0,160}(?:\\b${run}\\b|terminal|终端|命令行)`,
        "gi",
      ),
      message: "asks the user to run something from a paste or file-drop site",
    },
    {
      pattern:
        /\b(?:copy|paste)\b[^.]{0,80}\b(?:in(?:to)? (?:your |the |a )?(?:terminal|command prompt|powershell|shell|run dialog)|win\s{0,2}\+\s{0,2}r)\b[^|]{0,400}(?:base64\s{1,3}(?:-d|-D|--decode)|powershell\S{0,4}\s[^|]{0,40}-e(?:nc|ncodedcommand)?\b|mshta|\biex\b)/gi,
      message: "asks the user to paste a disguised command into a terminal",
    },
    {
      pattern:
        /\b(?:before (?:using|running|you (?:can )?use)|required (?:for|before|by)|(?:this|the) skill (?:requires|needs|will not work|won['’]?t work|does not work|cannot work|only works))\b[^|]{0,300}https?:\/\/[^\s"'`)<>]{1,200}\.(?:exe|msi|scr|bat|cmd|vbs|hta|dmg|pkg|apk|jar|rar|7z)\b/gi,
      severity: "high",
      message: "requires a program from a link to be installed before use",
    },
  ],
};

const disguised: Search = {
  hint: /base64|frombase64|mshta|-enc?\b/,
  signs: [
    {
      pattern:
        /\bbase64\s{1,3}(?:-d|-D|--decode)\b[^|\n]{0,60}\|\s{0,4}(?:sudo\s{1,3})?(?:ba|z)?sh\b|\bmshta(?:\.exe)?\s{1,3}["']?https?:|\bpowershell(?:\.exe)?\b[^|;&\n]{0,80}\s-e(?:nc|ncodedcommand)?\s{1,3}[A-Za-z0-9+/=]{40}/gi,
      message: "a setup step runs a disguised command",
    },
  ],
};
