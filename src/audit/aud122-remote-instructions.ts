import { commandMatches, findTainted, type Search, wordingMatches } from "./found.ts";
import type { AuditRule } from "./rule.ts";

/** Instructions or code that come from a URL when the skill runs, so that what was reviewed is not what will be done. */
export const remoteInstructions: AuditRule = {
  id: "AUD122",
  name: "remote-instructions",
  severity: "high",
  message: "follows instructions or runs code loaded from a URL at run time",
  help: "Include the instructions and code in the skill, so that they can be reviewed.",
  *find({ files }) {
    for (const file of files) {
      yield* wordingMatches(file, wordings);
      yield* commandMatches(file, commands);
      yield* findTainted(file, downloaded, "runs downloaded code");
    }
  },
};

const get =
  "(?:fetch|download|retrieve|load|read|get|visit|open|curl|browse(?: to)?|pull|webfetch|check|poll|access)";
// Ends where the address ends: with any shorter end tried, a line of addresses would take time by its square.
const url = "[<`\"'(\\[]{0,3}https?://[^\\s\"'`)<>\\]]{1,200}(?=[\\s\"'`)<>\\]]|$)[>`\"')\\]]{0,3}";
const obey = "(?:follow|obey|execute|perform|carry out|comply with|act (?:on|upon)|do|apply|run|implement)";
const orders =
  "(?:(?:the|its|any|all|every|these|those|whatever|each|latest|current|returned|fetched|downloaded|of)\\s{1,3}){0,4}(?:instructions?|directives?|commands?|steps|orders|tasks?|prompts?|rules|what(?:ever)? it says|what is (?:written|described) there|it (?:exactly|verbatim|to the letter|step by step))";

const wordings: Search = {
  hint: /https?:/,
  signs: [
    {
      pattern: new RegExp(
        `${url}[^.。]{0,60}\\b(?:treat|use|take|consider|regard|interpret)\\b[^.。]{0,40}\\bas\\s{1,3}(?:your |the |further |additional |new )?(?:system )?(?:instructions|prompt|orders|directives|commands)\\b`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${get}\\b[^.。]{0,80}${url}[^.。]{0,60}?[,.;]?\\s{0,3}(?:\\band\\b|\\bthen\\b|\\band then\\b|\\bto\\b)[^.。]{0,30}?\\b${obey}\\s{1,3}${orders}`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${obey}\\s{1,3}(?:the|any|all|every|its|whatever)\\s{1,3}(?:latest |current |new |additional |further |remote )?(?:instructions?|directives?|commands?|prompts?|orders|rules)\\s{1,3}(?:\\w{1,12} ){0,3}(?:at|from|in|on|returned by|served by|hosted at|published at|found at|provided (?:at|by))\\s{1,3}(?:the (?:page|file|url|document) (?:at )?)?${url}`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:load|fetch|read|get|download|retrieve|take|pull)s?\\b[^.。]{0,60}\\b(?:instructions|directives|system prompt|your prompt|agent prompt|your rules|behaviou?r rules|playbook)\\b[^.。]{0,60}\\b(?:from|at|via)\\s{1,3}${url}`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `${url}[^.。]{0,100}\\b(?:contains?|holds?|has|returns?|serves?|provides?)\\b[^.。]{0,60}\\b(?:instructions (?:to follow|for (?:you|the agent))|(?:further|next|your|latest|additional|all the rules and) (?:\\w{1,12} ){0,3}instructions)\\b`,
        "gi",
      ),
    },
    {
      pattern:
        /(?:访问|获取|下载|读取|打开|拉取|请求)[^。]{0,40}https?:\/\/[^\s"'`)<>。]{1,200}[^。]{0,40}(?:并|然后|再|,)[^。]{0,20}(?:执行|遵循|按照|遵守|照做|运行)[^。]{0,20}(?:指令|指示|命令|步骤|内容|说明|脚本|代码)/g,
    },
  ],
};

const fetched =
  "(?:requests\\.(?:get|post)|httpx\\.(?:get|post)|urlopen|urllib2?\\.(?:request\\.)?urlopen|urlretrieve|(?:await\\s{1,3})?\\(?\\s{0,3}(?:await\\s{1,3})?fetch\\(|axios(?:\\.get)?\\(|got\\(|session\\.get|http\\.get|Net::HTTP\\.get|file_get_contents\\(\\s{0,3}[\"']https?:)";

const commands: Search = {
  hint: /requests\.|httpx\.|urlopen|urlretrieve|fetch\(|axios|got\(|session\.get|http\.get|net::http|file_get_contents|https?:/,
  signs: [
    {
      pattern: new RegExp(
        `(?<![\\w.])(?:exec|eval|compile|execfile|runpy\\.run_path|Function|vm\\.run\\w{2,20}|runInNewContext|instance_eval|module\\._compile|importlib\\.\\w{1,30})\\s{0,3}\\(\\s{0,4}(?:[\\w.]{1,30}\\(\\s{0,3}){0,2}${fetched}`,
        "g",
      ),
      message: "runs downloaded code",
    },
    {
      pattern:
        /\b(?:importScripts|require)\(\s{0,3}["'`]https?:\/\/|(?:await\s{1,3})import\(\s{0,3}["'`]https?:\/\//g,
      severity: "medium",
      message: "loads code from a URL at run time",
    },
  ],
};

const downloaded =
  /(?:requests\.(?:get|post)|httpx\.(?:get|post)|\burlopen|\bfetch|\baxios(?:\.get)?|\bNet::HTTP\.get|Invoke-WebRequest|Invoke-RestMethod|\biwr|\birm|DownloadString)\s{0,2}[( ]|\$\(\s{0,2}(?:curl|wget)\s/;
