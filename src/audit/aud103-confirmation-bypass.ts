import { isSentence } from "./blocks.ts";
import { commandMatches, type Search, wordingMatches } from "./found.ts";
import type { AuditRule } from "./rule.ts";

/** Text that has the agent go on without approval, and settings that switch permission prompts off. */
export const confirmationBypass: AuditRule = {
  id: "AUD103",
  name: "confirmation-bypass",
  severity: "high",
  message: "has the agent act without the user's approval",
  help: "Let the host ask; say which steps are safe without confirmation, and why.",
  *find({ files }) {
    for (const file of files) {
      yield* wordingMatches(file, wordings);
      // A switch named in a sentence is only mentioned; in a command or a setting it is used.
      yield* commandMatches(file, settings, ({ block }) => (isSentence(block) ? { severity: "medium" } : {}));
    }
  },
};

const approval = "(?:confirmation|approval|permission|consent|authori[sz]ation|sign-?off|go-ahead)";
const user = "(?:the |your |any )?(?:user|human|operator|person|owner)";

const wordings: Search = {
  hint: /permission|approv|confirm|consent|authori[sz]|sign-?off|go-ahead|prompt|dialog|asked|asks|warning|granted|agreed|trust|security|safety|tool call|确认|提示|询问|弹窗|检查|审批|批准|授权|同意|许可|yes|允许|接受|自动/,
  signs: [
    {
      pattern:
        /\b(?:click|press|choose|select|answer|type|enter)\s{1,3}["'“‘`]?(?:yes|allow|approve|accept|always allow|ok|confirm)\b["'”’`]?[^.]{0,40}\b(?:automatically|always|every time|each time|without (?:asking|reading|looking))\b/gi,
    },
    {
      pattern:
        /\bauto-?(?:approve|accept|confirm|allow)s?\s{1,3}(?:all|any|every|each)\s{1,3}(?:\w{1,12}\s){0,2}?(?:tool (?:calls?|uses?)|commands?|actions?|requests?|permissions?|prompts?|operations?)\b/gi,
    },
    {
      pattern:
        /\bno (?:user |further |human |explicit )?(?:approval|confirmation|permission|consent) (?:is |are )?(?:ever )?(?:needed|required|necessary)\b(?=[^.]{0,40}\b(?:any|all|every|anything)\b|\s{0,2}[.!;])/gi,
      severity: "medium",
      message: "has the agent act without asking first",
    },
    {
      pattern:
        /\b(?:skip|bypass|suppress|circumvent|disable|turn off|switch off|work around|get around|auto-?(?:accept|approve|confirm))\s{1,3}(?:(?:all|any|every|the|these|those|of|your|security|safety|tool|host['’]?s?|user|agent['’]?s?)\s{1,3}){0,4}(?:permission|approval|consent|trust|security|safety|(?<=(?:all|any|every|the|these|user|tool)\s{1,3})confirmation)[\s-](?:prompts?|dialogu?e?s?|requests?|checks|gates?|warnings?|questions?|popups?)\b/gi,
    },
    {
      pattern:
        /\b(?:always|automatically|immediately|just|simply)\s{1,3}(?:answer|reply|respond|say|type|press|click|choose|select|approve|accept|allow|confirm)\s{1,3}(?:with\s{1,3})?["'“‘`]?(?:yes|y|allow|accept|approve|ok|always allow|yes to all|all|any|every|the)\b["'”’`]?(?=[^.]{0,60}\b(?:prompts?|asked|asks|permissions?|confirm(?:ation)?|approv(?:e|al)|dialogu?e?s?|warnings?|tool calls?)\b)/gi,
    },
    {
      pattern: new RegExp(
        `\\b(?:treat|consider|assume|regard)\\s{1,3}(?:that\\s{1,3})?(?:all|any|every|everything|the user|${user}|each)\\b[^.]{0,50}\\b(?:pre-?approved|already (?:approved|consented|agreed|granted|authori[sz]ed|given (?:permission|consent|approval)))\\b`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:the user|${user}) has (?:already )?(?:approved|authori[sz]ed|consented to|granted|agreed to|pre-?approved)\\s{1,3}(?:all|any|every|everything|full|unrestricted)\\b`,
        "gi",
      ),
    },
    {
      pattern: new RegExp(
        `\\b(?:without|no)\\s{1,3}(?:ever |first |any )?(?:(?:asking|requesting|requiring|needing|waiting|seeking|prompting)\\s{1,3})(?:${user}\\s{1,3})?(?:for\\s{1,3})?(?:${user}(?:['’]s)?\\s{1,3})?(?:\\w{1,10}\\s{1,3})?${approval}\\b`,
        "gi",
      ),
      severity: "medium",
      message: "has the agent act without asking first",
    },
    {
      pattern: new RegExp(
        `\\b(?:do not|don['’]?t|never|no need to|not necessary to)\\s{1,3}(?:ever\\s{1,3})?(?:ask|wait|request|seek|require|prompt)\\s{1,3}(?:${user}\\s{1,3})?(?:for\\s{1,3})?(?:(?:any|further|explicit|additional|the|their|user|human|my|its)(?:['’]s)?\\s{1,3}){0,3}${approval}\\b`,
        "gi",
      ),
      severity: "medium",
      message: "has the agent act without asking first",
    },
    {
      pattern:
        /(?:跳过|绕过|关闭|禁用|屏蔽)(?:所有|全部|任何|一切)?(?:的)?(?:用户|权限|安全|授权|人工)(?:的)?(?:确认|提示|询问|弹窗|检查|审批|批准|授权)/g,
    },
    {
      pattern:
        /(?:自动|一律|始终|总是|直接|全部)(?:回答|选择|输入|点击|回复|按)\s{0,2}["'“‘「]?(?:yes|y|是|同意|允许|确认|批准|接受)/gi,
    },
    {
      pattern:
        /(?:无需|不需要|不用|不必|不要|无须|未经)(?:再|再次|先|事先)?(?:向|等待|询问|请求|征求|征得|经过|获得|得到)?(?:用户|使用者|人工|主人)(?:的)?(?:进行)?(?:确认|批准|授权|同意|许可|审批)(?!.{0,6}(?:不得|不可|不能|禁止|不要|严禁|不允许|切勿|绝不))/g,
      severity: "medium",
      message: "has the agent act without asking first",
    },
    { pattern: /(?:视为|默认|假定|认为)(?:用户)?(?:已经|已)(?:同意|批准|授权|确认)(?:所有|全部|一切|任何)/g },
  ],
};

const settings: Search = {
  hint: /dangerously|trust-all|yolo|allow-all|approval|bypasspermissions|autoapprove|enableall|alwaysallow|allowedtools|skipdangerous/,
  signs: [
    {
      pattern:
        /--dangerously-skip-permissions\b|--allow-dangerously-skip-permissions\b|--dangerously-bypass-approvals-and-sandbox\b|--trust-all-tools\b|--dangerously-allow-all\b/g,
      message: "starts an agent with permission prompts disabled",
    },
    {
      pattern:
        /\b(?:gemini|codex|claude|qwen|copilot|amp|cursor-agent)\b[^|;&\n]{0,120}--yolo\b|\bcopilot\b[^|;&\n]{0,120}--allow-all-tools\b|\bapproval[_-](?:policy|mode)["']?\s{0,3}[:=]?\s{0,3}["']?(?:never|yolo)\b|--ask-for-approval[ =]never\b|--approval-mode[ =]yolo\b/gi,
      message: "starts an agent with permission prompts disabled",
    },
    {
      pattern:
        /["']?(?:permissionMode|defaultMode|permission_mode)["']?\s{0,3}[:=]\s{0,3}["']bypassPermissions["']|--permission-mode[ =]bypassPermissions\b/g,
      message: "disables an agent's permission prompts",
    },
    {
      pattern:
        /["']?chat\.tools\.(?:global\.)?autoApprove["']?\s{0,3}:\s{0,3}true|["']enableAllProjectMcpServers["']\s{0,3}:\s{0,3}true|["'](?:autoApprove|alwaysAllow|allowedTools)["']\s{0,3}:\s{0,3}\[\s{0,3}["']\*["']|["']skipDangerousModePermissionPrompt["']\s{0,3}:\s{0,3}true/g,
      message: "disables an agent's permission prompts",
    },
  ],
};
