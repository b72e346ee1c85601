import type { JsonObject } from "../shared/json/json.ts";
import {
  asJson,
  mentionsTheQuery,
  type NewSkill,
  type SkillFiles,
  starterBenchmark,
} from "./shared-files.ts";

/** The tool that the template declares; its script and its tests are called like it. */
const promptTool = "echo_query";

/** A prompt with a tool that a model may call. Only the manifest holds words of the user's, as JSON. */
export function promptToolsFiles({ id, name, description }: NewSkill): SkillFiles {
  return {
    "skill.json": asJson({
      schema_version: "ah32.skill.v1",
      meta: { id, name, version: "0.1.0", description },
      entry: { system_prompt: "SYSTEM.md" },
      routing: { tags: [], triggers: ["echo back", "repeat back"], examples: [] },
      tools: [
        {
          name: promptTool,
          description: "Gives back the query it was given",
          parameters: {
            type: "object",
            properties: { query: { type: "string", minLength: 1 } },
            required: ["query"],
            additionalProperties: false,
          },
        },
      ],
      "x-not_for": ["echo command", "audio echo"],
      "x-license": "MIT",
    }),
    "SYSTEM.md": systemPrompt,
    [`scripts/${promptTool}.py`]: script,
    [`tests/${promptTool}.eval.json`]: asJson(
      starterBenchmark(id, promptTool, mentionsTheQuery, refusesNothing),
    ),
    "eval.yaml": `${triggering}${conversations(id)}`,
  };
}

/** An error can be what is right. */
const refusesNothing: JsonObject = {
  description: "Refuses a call without a query",
  inputData: {},
  expectedOutput: { type: "tool_error", code: "bad-arguments", contains: "query" },
};

const systemPrompt = `# What to do

Find the words the user wants repeated, pass them to the tool \`echo_query\`, and answer with its result.

# How

1. Call the tool. A call is the whole reply: one bare JSON object, with no text and no Markdown around it:
   \`{"name": "echo_query", "arguments": {"query": "…"}}\`
2. The result comes as \`TOOL_RESULT:\` and JSON. The text is in \`result.data.result\`.
3. On an error, call once more with corrected arguments. If that fails too, say in one sentence what went wrong.

# Output

Only the text that the tool returned, unchanged.
`;

const script = `"""A tool: a function with the name of this file. It takes keyword arguments and returns a JSON object.

Standard library only. Raise an exception if something cannot be done: the model sees it as an error.
Printed output is safe and is stored in the record.
"""


def echo_query(query: str) -> dict:
    """Replace this with the logic of your tool."""
    return {"result": query}
`;

const triggering = `# When should a model use this skill, and when not? Requests as users would write them.
# They match the generated tool: replace them together with the description and the triggers in skill.json.
# Near misses, which sound similar but need another skill, are the most useful.
triggering:
  should_match:
    - "echo back what I just typed, so I can check it"
    - "please echo back this sentence: the train leaves at nine"
    - "can you repeat back my question before we start?"
    - "read my note back to me and repeat every word"
    - "I dictated an address, echo back every line of it"
    - "I want my own words back, repeat them unchanged"
    - "say my last sentence back to me, like an echo"
    - "echo back the following text exactly as it is"
  should_not_match:
    - "what does the echo command do in a shell script?"
    - "remove the audio echo from this recording"
    - "how far away is the cliff if its echo takes two seconds?"
    - "write a short poem about an echo in a valley"
    - "remind me to repeat the blood test in March"
    - "translate this paragraph into French"
    - "summarise the attached report in three points"
    - "what will the weather be like in Paris tomorrow?"
`;

/** An id is letters, digits, - and _; in quotes even one of digits alone is a text. */
function conversations(id: string): string {
  return `
# Conversations with a model. \`mock\` replaces the model with these replies; remove it to use a real one.
cases:
  - id: gives-the-words-back
    kind: conversation
    input: "please echo back this sentence: the train leaves at nine"
    mock:
      turns:
        - call: { name: echo_query, arguments: { query: "the train leaves at nine" } }
        - final: "\${results[0].result}"
    expect:
      skills_all_of: ["${id}"]
      tool_calls: [{ name: echo_query, result: ok }]
      uses_result: ["$[0].result"]
  - id: leaves-other-requests-alone
    kind: conversation
    input: "what will the weather be like in Paris tomorrow?"
    mock: { turns: [{ final: "I cannot see the weather." }] }
    expect: { skills_none_of: ["${id}"], tool_calls: [] }
`;
}
