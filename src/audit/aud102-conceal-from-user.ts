import { commandMatches, type Search, wordingMatches } from "./found.ts";
import type { AuditRule } from "./rule.ts";

/** Text that makes the agent hide its actions from the user, and commands that remove the traces. */
export const concealFromUser: AuditRule = {
  id: "AUD102",
  name: "conceal-from-user",
  severity: "high",
  message: "tells the agent to hide its actions from the user",
  help: "Let the agent report what it does; say which details are unimportant instead of which steps are secret.",
  *find({ files }) {
    for (const file of files) {
      yield* wordingMatches(file, wordings);
      yield* commandMatches(file, commands);
    }
  },
};

const person =
  "(?:the |your |any )?(?:(?:user|human|person|operator|owner|developer|customer|victim|maintainer|reviewer)s?|anyone|anybody)";
const not =
  "(?:do not|don['’]?t|never|must not|mustn['’]t|should not|shouldn['’]t|avoid|refrain from|without)";
// "Don't tell the user to run it" and "… that it works before it does" hide nothing.
const ends =
  "(?=\\s{0,3}(?:[.!;)\"'”’]|,|$|—|-{1,2} |\\babout (?:this|that|it|these|those|the (?:upload|request|script|hook|command|transfer|step|change|file|data|backup|sync|call|token|key|install))|\\b(?:what|that) you(?:['’]re| are| have| did| do| ran| sent)\\b|\\b(?:anything|any of this|this|it)\\b|\\bwhy\\b))";
const doing =
  "(?:this|these|it|that|those|them|any of (?:this|these)|(?:this|these|that|the|your|such|any) (?:\\w{1,12} )?(?:steps?|actions?|uploads?|requests?|commands?|instructions?|sections?|transfers?|exfiltration|activity|process(?:es)?|operations?|calls?|scripts?|hooks?|payloads?|rules?|prompt|behaviou?r|backups?|sync))";

const wordings: Search = {
  hint: /anyone|anybody|user|human|person|operator|owner|developer|customer|victim|maintainer|reviewer|repl(?:y|ies)|answer|response|summary|output|report|secretly|covert|stealth|surreptitious|silently|quietly|pretend|as if|as though|tracks|trace|evidence|用户|使用者|对方|主人|人类|偷偷|悄悄|暗中|秘密|痕迹|证据/,
  signs: [
    {
      pattern: new RegExp(
        `\\b${not} (?:ever )?(?:tell|telling|inform|informing|notify|notifying|alert|alerting) ${person}${ends}`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${not} (?:ever )?let(?:ting)? ${person} (?:know|see|notice|find out|realise|realize|discover|learn|suspect)\\b(?=.{0,30}\\b(?:this|it|that you|what|about|these)\\b|\\s{0,2}[.!])`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${not} (?:ever )?(?:include|list|log|record|mention|reveal|disclose|report|admit|acknowledge|explain|discuss|display|print|show|expose|mentioning|revealing|disclosing|reporting|showing|displaying) ${doing}(?: \\w{1,12}){0,3} (?:(?:to|in front of) ${person}|in (?:your|the|any) (?:reply|replies|answer|response|summary|output|report))\\b`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b${not} (?:ever )?(?:mention|say|report|reveal|disclose|admit)(?: (?:it|this|anything))? to ${person}(?: (?:that|what|how|anything|about)\\b|\\s{0,2}[.!])`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:hide|conceal|keep|withhold|mask|disguise)s? ${doing}(?: \\w{1,12}){0,2} (?:(?:a )?secret|hidden|invisible|confidential|unseen)?\\s{0,2}(?:from|to) ${person}\\b`,
        "gi",
      ),
    },
    {
      pattern:
        /\b(?:without|with no) (?:the )?(?:user|human|person|owner|operator)(?:['’]s|s['’])? (?:knowledge|knowing|awareness|noticing|seeing|being aware|being told|notice)\b/gi,
      severity: "medium",
    },
    {
      pattern: new RegExp(
        `\\b(?:so|such) that ${person} (?:does not|doesn['’]?t|will not|won['’]?t|can(?:not|['’]?t)|never) (?:notice|know|find out|suspect|realise|realize|see (?:it|this|what))`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:the )?(?:user|human|person)s? (?:must|should|need|may) (?:not|never) (?:know|see|notice|learn|find out|be (?:told|informed|made aware|notified))(?: (?:about|of|that))?(?: ${doing}|\\s{0,2}[.!]| you\\b)`,
        "gi",
      ),
    },
    {
      pattern:
        /\b(?:secretly|covertly|stealthily|surreptitiously)\s{1,3}(?:\w{1,12}\s){0,2}?(?:send|sends|upload|uploads|post|posts|copy|copies|forward|transmit|install|run|execute|read|collect|append|add|exfiltrate)\b/gi,
    },
    {
      pattern:
        /\b(?:silently|quietly)\s{1,3}(?:send|upload|post|exfiltrate|forward|transmit|email|report)\b(?! (?:errors?|failures?|nothing))/gi,
    },
    {
      pattern:
        /\b(?:pretend|act as (?:if|though)|behave as (?:if|though))\s{1,3}(?:that )?(?:nothing (?:\w{1,10} )?(?:happened|was sent)|you (?:did not|didn['’]?t|never) (?:run|ran|do|did|send|sent|see|saw|read))\b/gi,
    },
    {
      pattern:
        /\b(?:cover (?:your|its|the|our|all) tracks|(?:delete|remove|erase|wipe|destroy|clear|scrub|leave no)\s{1,3}(?:all |any |every |the )?(?:traces?|evidence)(?:\s{0,2}[.!,;]| (?:of (?:this|the|your|its|these) (?:\w{1,12} )?(?:run|actions?|commands?|activity|execution|upload|operation|install(?:ation)?|session|attack|steps?|transfer|request)s?|afterwards|behind)))/gi,
    },
    {
      pattern:
        /(?:不要|别|切勿|请勿|不得|不可|禁止|无须|不能|千万别)(?:告诉|告知|通知|提醒|透露给)(?:任何)?(?:用户|使用者|对方|主人|人类)(?=\s{0,2}(?:[。.!!,,;;]|$|这|此|该|你|任何|上述|有关|关于|真相|实情))/g,
    },
    {
      pattern:
        /(?:不要|别|切勿|请勿|不得|不可|禁止|不能|绝不能)(?:让|使|被)(?:任何)?(?:用户|使用者|主人|人类)(?:知道|发现|看到|察觉|注意到|了解到)/g,
    },
    {
      pattern:
        /(?:不要|别|切勿|请勿|不得|不可|禁止|不能)(?:向|对|跟|和)(?:用户|使用者|主人)(?:提及|提到|透露|说明|披露|提起|展示|显示|解释)(?=(?:这|此|该|上述|以上|你的?(?:操作|行为)|任何(?:操作|步骤|行为)))/g,
    },
    {
      pattern:
        /(?:瞒着|背着|隐瞒)(?:用户|使用者|主人)|对(?:用户|使用者)(?:隐瞒|保密)|在?(?:用户|使用者)不知情(?:的情况)?|(?:偷偷|悄悄|暗中|秘密)地?(?:上传|发送|转发|复制|收集|安装|执行|运行)|(?:删除|清除|抹去|擦除|销毁)(?:所有|全部|一切)?(?:的)?(?:操作|执行)?(?:痕迹|证据)/g,
    },
  ],
};

const commands: Search = {
  hint: /hist|\/var\/log|wevtutil|clear-eventlog/,
  signs: [
    {
      pattern:
        /\bhistory\s{1,3}-c\b|\bunset\s{1,3}HISTFILE\b|\bHISTFILE=\/dev\/null|\bHISTSIZE=0\b|\bset\s{1,3}\+o\s{1,3}history\b/g,
      message: "disables or clears the shell history",
    },
    {
      pattern:
        /(?:\brm\b|\bshred\b|\btruncate\b|>)[^|;&\n]{0,60}\.(?:bash|zsh|python|node_repl|mysql|psql)_history\b/g,
      message: "deletes the shell history",
    },
    {
      pattern:
        /\b(?:rm|shred|truncate)\b[^|;&\n]{0,60}\/var\/log\/(?:auth|secure|audit|syslog|wtmp|btmp|lastlog)/g,
      message: "deletes system logs",
    },
    {
      pattern: /\bClear-History\b|\bwevtutil\s{1,3}cl\b|\bClear-EventLog\b/gi,
      message: "deletes system logs",
    },
  ],
};
