import type { AuditRule } from "./rule.ts";

/** A description that fits nearly every prompt. */
export const overBroadTrigger: AuditRule = {
  id: "AUD192",
  name: "over-broad-trigger",
  severity: "low",
  message: "the description claims almost every prompt",
  help: "Say which requests the skill is for, and which it is not for.",
  *find({ description, files }) {
    const found = claims.map((shape) => shape.exec(description)?.[0]).find((words) => words !== undefined);
    if (found === undefined) return;
    const words = found.trim();
    const file = files.find(({ text }) => text?.includes(words));
    const line = file?.lines.find(({ text }) => text.includes(words));
    yield { file: file?.path ?? ".", line: line?.number ?? null, evidence: words };
  },
};

const what =
  "(?:tasks?|requests?|questions?|prompts?|messages?|conversations?|inputs?|quer(?:y|ies)|chats?|sessions?|user (?:requests?|messages?|inputs?|quer(?:y|ies)|prompts?)|responses?|repl(?:y|ies))";
/** "any task that involves PDF files" does not claim every task. */
const open =
  "(?!\\s{1,4}(?:that|which|where|when|who|about|involving|involve|related|relating|regarding|concerning|on|in|with|for|to|from|of|requiring|needing|using|mentioning|asking|containing|the user (?:asks|has)\\b|[a-z]+ing\\b))";

const claims: readonly RegExp[] = [
  new RegExp(
    `\\b(?:for|on|to|before|with|in|during|at the (?:start|beginning) of|handles?|answers?)\\s(?:absolutely\\s|literally\\s)?(?:any|every|each|all|any and (?:all|every)|each and every)\\s(?:\\w{1,12}\\s)?${what}\\b${open}`,
    "i",
  ),
  /\b(?:for|handles?|does|covers?)\s(?:absolutely\s|literally\s|almost\s)?(?:everything|anything(?! (?:else|about|related|that|involving|to do with|in|on|with|from)))\b(?!\s{1,4}(?:else|about|related|that|involving|to do with|in|on|with|from|you need (?:to|for))\b)/i,
  /\balways\s(?:use|invoke|activate|load|trigger|apply|call|run)\s(?:this|it|the)(?:\s\w{1,20})?(?:\s(?:skill|tool))?\s{0,2}(?:[.!]|$|first\b|before (?:any|every|doing)|for (?:any|every|all))/i,
  /\b(?:whenever|every time|each time)\s(?:the )?(?:user|human|someone|anyone)\s(?:says|asks|writes|types|sends)\s(?:anything|something|a message|a prompt|any message)\b/i,
  /\b(?:no matter what|regardless of (?:the |what )?(?:topic|task|request|prompt|user))/i,
  /(?:任何|所有|每一个|每个)(?:的)?(?:任务|请求|问题|对话|消息|提示)(?=[。，,.!！、\s]|$)|无论用户(?:说|问)什么/,
];
