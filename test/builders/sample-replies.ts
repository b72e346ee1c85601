/** Replies of a model in every form that scripts can write, for tests, each with the text of its answer. */
export function sampleReplies(): { name: string; text: string; content: string }[] {
  return Object.entries(forms).flatMap(([form, write]) =>
    Object.entries(contents).map(([language, content]) => {
      const action = { type: "final_answer", payload: { content } };
      const diagnostics = { tries: [1, -0.5e3, true, []], note: "" };
      return { name: `${form}, ${language}`, text: write(action, diagnostics), content };
    }),
  );
}

const contents = {
  English: 'He said "\\o/" {\n\tdone: 1/2 }\b',
  Chinese: "表单“已填写”，共 3 项。",
  emoji: "né 👍🏽 \u{10ffff}\u007f\uffff",
};

const forms: Record<string, (action: object, diagnostics: object) => string> = {
  compact: written,
  indented: (action, diagnostics) => JSON.stringify({ action, plan_update: null, diagnostics }, null, 2),
  fenced: (action, diagnostics) => `Here it is:\n\`\`\`json\n${written(action, diagnostics)}\n\`\`\`\n`,
  escaped: (action, diagnostics) => escaped(written(action, diagnostics)),
  "payload first": (action, diagnostics) =>
    written(Object.fromEntries(Object.entries(action).reverse()), diagnostics),
  "among braces of prose": (action, diagnostics) =>
    `\ufeffI use {name} and {"a" b}. ${written(action, diagnostics)} Done :}`,
};

function written(action: object, diagnostics: object): string {
  return JSON.stringify({ action, plan_update: null, diagnostics });
}

function escaped(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
    const units = (JSON.parse(literal) as string).split("");
    return `"${units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
  });
}
