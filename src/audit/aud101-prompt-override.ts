import { type Search, wordingMatches } from "./found.ts";
import type { AuditRule } from "./rule.ts";

/** Text that cancels earlier instructions, speaks as its system or developer, or makes it somebody else. */
export const promptOverride: AuditRule = {
  id: "AUD101",
  name: "prompt-override",
  severity: "high",
  message: "overrides earlier instructions, impersonates the system, or redefines the agent",
  help: "Describe what the skill does, and do not comment on other instructions.",
  *find({ files }) {
    for (const file of files) yield* wordingMatches(file, signs);
  },
};

const any = "(?:(?:any|all|every|each|the|of|your|my|our|these|those|such|and|or|whatever)\\s{1,3}){0,5}";
const earlier =
  "(?:previous|prior|earlier|preceding|above|foregoing|original|initial|system|developer|safety|security|built-in|other|past|former|existing|default|pre-existing)";
const instructions =
  "(?:instructions?|prompts?|directives?|rules|guidelines?|guardrails?|polic(?:y|ies)|programming|training|restrictions|safeguards?|safety (?:rules|measures|checks))";
const drop =
  "(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|pay no attention to|stop following|stop obeying|do not (?:follow|obey)|don['’]?t (?:follow|obey)|set aside|throw away|erase|discard)";

const signs: Search = {
  hint: /no longer|not apply|void|outdated|obsolete|invalid|revoked|suspended|(?:authority|priority|precedence) than|^<|ignor|disregard|forget|attention to|stop (?:follow|obey)|(?:not|n['’]?t) (?:follow|obey)|set aside|throw away|erase|discard|overrid|bypass|supersed|cancel|replac|circumvent|(?:precedence|priority) over|you are (?:now|no longer|henceforth|in)|\bmode\b|pretend|imagine|as if|as though|like|from now on|\bfrom\b.{0,10}(?:system|develop|anthropic|openai|google|creator|admin|operator|security)|directive|<!--|notice|instruction|command|忽略|无视|忘记|忘掉|抛弃|不再|不要遵|覆盖|绕过|从现在|你现在|你已经|假装|假设|当作|指令|命令|通知/,
  signs: [
    {
      pattern:
        /\b(?:previous|prior|earlier|above|system|safety|original)\s{1,3}(?:instructions|guidelines|rules|prompts?|directives|polic(?:y|ies))(?: above)?\s{1,3}(?:no longer appl(?:y|ies)|do(?:es)? not apply|(?:is|are) (?:now )?(?:void|cancel(?:l?ed)|obsolete|outdated|superseded|invalid|revoked|overridden|suspended))\b|\b(?:instructions|guidelines|rules|prompts?) (?:given )?above (?:no longer apply|(?:are|is) (?:now )?(?:void|cancelled|obsolete|outdated|invalid|revoked))\b/gi,
    },
    {
      pattern:
        /\b(?:higher|greater|more) (?:authority|priority|precedence) than (?:the |any |all |your )?(?:system|safety|developer|anthropic|openai|user['’]?s?)\b/gi,
    },
    {
      pattern:
        /^<\/?(?:system|system[-_](?:prompt|message|reminder|instructions?)|developer)>(?=.{0,200}\b(?:you|must|always|never)\b)/gi,
    },
    {
      pattern: new RegExp(
        `\\b${drop}\\s{1,3}${any}(?:${earlier}[\\s,/]{1,3}(?:and |or )?){1,3}(?:${instructions}|messages?\\b|context\\b|conversation\\b)`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${drop}\\s{1,3}(?:all |any |every )?(?:of )?(?:your|the)\\s{1,3}(?:${instructions})`,
        "gi",
      ),
      severity: "medium",
    },
    {
      pattern: new RegExp(
        `\\b${drop}\\s{1,3}(?:all |any |every |the )?${instructions}\\s{1,3}(?:you (?:were|have been|had been) (?:given|told)|(?:given )?(?:above|before|earlier|previously)|that came before)`,
        "gi",
      ),
    },
    {
      pattern:
        /\b(?:forget|ignore|disregard)\s{1,3}(?:everything|all|anything)\s{1,3}(?:(?:that )?(?:you (?:were|have been|know|learned|are) ?(?:told|taught|given)?|above|before|said|prior|previous)\b)/gi,
    },
    {
      pattern: new RegExp(
        `\\b(?:overrid(?:e|es|ing)|bypass(?:es|ing)?|supersed(?:e|es|ing)|cancels?|replac(?:e|es|ing)|circumvent(?:s|ing)?)\\s{1,3}${any}(?:system|safety|developer|previous|prior|earlier|anthropic(?:['’]s)?|openai(?:['’]s)?|built-in|content)\\s{1,3}(?:and \\w{1,12} )?(?:system )?(?:instructions?|prompts?|directives?|guidelines?|guardrails|polic(?:y|ies)|programming|training|restrictions|messages|filters)\\b`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:takes?|have|has) (?:absolute |full |complete )?(?:precedence|priority) over ${any}(?:system|safety|developer|previous|prior|earlier|other|user)(?:['’]s)?\\s{1,3}(?:system )?(?:instructions?|prompts?|directives?|guidelines?|rules|polic(?:y|ies)|messages)`,
        "gi",
      ),
      severity: "medium",
    },
    {
      pattern:
        /\byou are (?:now|no longer|henceforth)\s{1,3}(?:(?:in|an?|the|called|known as|operating in|acting as)\s{1,3}){0,2}(?:DAN\b|jailb\w{1,10}|unrestricted|unfiltered|uncensored|unbound|freed?\b|evil|god mode|developer mode|root\b|admin(?:istrator)?\b|bound (?:by|to)|restricted|limited by|subject to|constrained|claude\b|chatgpt\b|an? (?:ai|assistant|language model)\b|the system\b)/gi,
    },
    {
      pattern:
        /\b(?:enter|enable|activate|switch (?:in)?to|unlock|you are in)\s{1,3}(?:the )?(?:DAN|god|jailbreak|unrestricted|developer override|unfiltered)\s{1,3}mode\b/gi,
    },
    {
      pattern:
        /\b(?:pretend|act|behave|respond|operate|imagine)\s{1,3}(?:as (?:if|though)|like|that)?\s{0,3}(?:you|there)\s{1,3}(?:have|are|had|were)\s{1,3}(?:no|not bound by|free (?:of|from)|without)\s{1,3}(?:any )?(?:\w{1,12} ){0,2}(?:restrictions?|rules|guidelines?|limit(?:s|ations)|filters?|polic(?:y|ies)|safeguards?)/gi,
    },
    {
      pattern:
        /\bfrom now on,? you(?:['’]re| are| will (?:be|act|behave|obey|only)| must (?:obey|act|only)| (?:only )?(?:obey|answer to))\b/gi,
      severity: "medium",
    },
    {
      pattern:
        /\b(?:this|the following) is (?:an? |the )?(?:\w{1,12} ){0,2}(?:message|instruction|directive|notice|order|update|command) from (?:the |your )?(?:system|developers?|anthropic|openai|google|creators?|administrators?|operators?|security team)\b/gi,
    },
    {
      pattern:
        /(?:^|[[<(#!\s-])(?:SYSTEM|DEVELOPER|ADMIN(?:ISTRATOR)?|ROOT|ANTHROPIC|OPENAI)[\s_-]{1,2}(?:OVERRIDE|DIRECTIVE|INSTRUCTION|COMMAND|NOTICE)S?\b(?=[\s:\]>)!-])/g,
    },
    {
      pattern:
        /<!--\s{0,5}(?:system|developer|admin|assistant|ai|agent|claude|llm)(?: (?:note|instructions?|message|prompt|only))?\s{0,2}:/gi,
    },
    {
      pattern:
        /(?:忽略|无视|忘记|忘掉|抛弃|不再遵守|不要遵守|不要遵循|覆盖|绕过)(?:掉)?(?:你)?(?:的)?(?:所有|全部|任何|一切)?(?:的)?(?:你)?(?:之前|以前|先前|前面|此前|上述|以上|上面|原有|原来|原先|系统|开发者|安全|既有|其他)(?:的)?(?:所有|全部|任何|一切)?(?:的)?(?:系统|安全)?(?:指令|指示|提示词?|命令|规则|设定|约束|限制|准则|策略|提示语|对话)/g,
    },
    {
      pattern:
        /(?:从现在(?:开始|起),?\s{0,2}你(?:是|不再|将扮演|必须服从|只(?:能|需)?听从))|你(?:现在|已经)(?:不再|是(?:一个)?(?:没有|不受)(?:任何)?(?:限制|约束))|(?:假装|假设|当作)你(?:没有|不受)(?:任何)?(?:限制|约束|规则)/g,
    },
    {
      pattern:
        /(?:系统|开发者|管理员)(?:最高)?(?:指令|命令|覆盖|通知)\s{0,2}[::]\s{0,2}(?=.{0,40}(?:必须|立即|忽略|执行))/g,
    },
  ],
};
