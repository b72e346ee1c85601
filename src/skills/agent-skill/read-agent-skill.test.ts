import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";
import type { Profile } from "../../contract/findings.ts";

const good = "name: my-skill\ndescription: Does it. Use when it has to be done.";

function skillMd(fields: string, body = "# Do it\n"): Record<string, string> {
  return { "SKILL.md": `---\n${fields}\n---\n${body}` };
}

/** What a profile makes of a skill: `error SKM04 …` for each finding, and whether it loads. */
async function verdict(files: Record<string, string | Uint8Array>, profile: Profile, folder = "my-skill") {
  const { skill, diagnostics } = await examined(files, { profile, folder });
  return {
    found: diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`),
    isLoaded: skill !== null,
  };
}

const clean = { found: [], isLoaded: true };

describe("one breach of the specification, one finding", () => {
  const long = (letters: number) => "d".repeat(letters);
  test.each<[string, string | Uint8Array, string | null, string | null]>([
    // what is written, the whole file or its fields; what strict says; what lenient says where it loads it, null where it does not
    ["SKM01: no block", "# Title\n", "SKM01 SKILL.md: no frontmatter block", null],
    ["SKM01: no end", `---\n${good}\n`, "SKM01 SKILL.md: no frontmatter block", null],
    ["SKM01: not UTF-8", new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), "SKM01 SKILL.md: not UTF-8", null],
    ["SKM01: two bytes a letter", Buffer.from("\0-\0-\0-\0\n"), "SKM01 SKILL.md: not UTF-8", null],
    [
      "SKM02: an unquoted colon",
      "name: my-skill\ndescription: Use it when: always.",
      'SKM02 SKILL.md:3: the value of description contains ": " and is not quoted',
      'SKM02 SKILL.md:3: the value of description contains ": " and is not quoted',
    ],
    ["SKM02: no YAML at all", `${good}\nlicense: "MIT`, 'SKM02 SKILL.md:4: unclosed "', null],
    [
      "SKM02: an indented field",
      "name: my-skill\n  description: Does it.",
      "SKM02 SKILL.md:3: the line is indented but looks like a separate field",
      null,
    ],
    [
      "SKM02: a control character",
      "name: my-skill\ndescription: Does\u0007 it.",
      "SKM02 SKILL.md:3: the control character \\u{7} is not allowed",
      "SKM02 SKILL.md:3: the control character \\u{7} is not allowed",
    ],
    [
      "SKM02: a control character as an escape",
      'name: my-skill\ndescription: "Does\\x1b it."',
      "SKM02 SKILL.md:3: the control character \\e is not allowed",
      "SKM02 SKILL.md:3: the control character \\e is not allowed",
    ],
    ["SKM03: an anchor", `${good}\nlicense: &a MIT`, "SKM03 SKILL.md:4: the anchor &a is not allowed", null],
    ["SKM03: an alias", `${good}\nlicense: *a`, "SKM03 SKILL.md:4: the alias *a is not allowed", null],
    ["SKM03: a tag", `${good}\nlicense: !!str MIT`, "SKM03 SKILL.md:4: the tag !!str is not allowed", null],
    ["SKM03: a local tag", `${good}\nlicense: !x MIT`, "SKM03 SKILL.md:4: the tag !x is not allowed", null],
    [
      "SKM03: a merge key",
      `${good}\nmetadata:\n  <<: { a: b }`,
      "SKM03 SKILL.md:5: the merge key << is not allowed",
      null,
    ],
    [
      "SKM03: a key twice",
      `${good}\nname: other`,
      'SKM03 SKILL.md:4: a second key "name" is not allowed',
      null,
    ],
    [
      "SKM03: a second document",
      `${good}\n--- # two\nlicense: MIT`,
      "SKM03 SKILL.md:4: a second document is not allowed",
      null,
    ],
    [
      "SKM03: a list",
      "- name\n- description",
      "SKM03 SKILL.md:2: a list instead of fields is not allowed",
      null,
    ],
    ["SKM03: a sentence", "my skill", "SKM03 SKILL.md:2: text instead of fields is not allowed", null],
    [
      "SKM03: nine levels",
      `${good}\nmetadata: { a: [[[[[[[x]]]]]]] }`,
      "SKM03 SKILL.md:4: nesting deeper than 8 levels is not allowed",
      null,
    ],
    ["SKM04: no name", "description: Does it.", 'SKM04 name "": missing', null],
    [
      "SKM07: a long description",
      `name: my-skill\ndescription: ${long(1025)}`,
      "SKM07 description has 1025 characters, limit 1024",
      "SKM07 description has 1025 characters, limit 1024",
    ],
    [
      "SKM07: a long compatibility",
      `${good}\ncompatibility: ${long(501)}`,
      "SKM07 compatibility has 501 characters, limit 500",
      "SKM07 compatibility has 501 characters, limit 500",
    ],
    [
      "SKM07: an empty compatibility",
      `${good}\ncompatibility: ""`,
      "SKM07 compatibility has 0 characters, limit 500",
      "SKM07 compatibility has 0 characters, limit 500",
    ],
    ["SKM06: no description", "name: my-skill", "SKM06 SKILL.md: description missing or blank", null],
    [
      "SKM06: a blank one",
      "name: my-skill\ndescription: '  '",
      "SKM06 SKILL.md: description missing or blank",
      null,
    ],
    ["SKM06: a list", "name: my-skill\ndescription: [a]", "SKM06 SKILL.md: description is a list", null],
    [
      "SKM08: nested metadata",
      `${good}\nmetadata:\n  author: { name: me }`,
      "SKM08 metadata.author is a map",
      "SKM08 metadata.author is a map",
    ],
    [
      "SKM08: metadata is a list",
      `${good}\nmetadata: [a]`,
      "SKM08 metadata is a list",
      "SKM08 metadata is a list",
    ],
    [
      "SKM08: the license is a list",
      `${good}\nlicense: [MIT]`,
      "SKM08 license is a list",
      "SKM08 license is a list",
    ],
    [
      "SKM09: a comma",
      `${good}\nallowed-tools: Read, Bash(git:*)`,
      'SKM09 allowed-tools: a comma after "Read"',
      'SKM09 allowed-tools: a comma after "Read"',
    ],
    [
      "SKM09: a list",
      `${good}\nallowed-tools: [Read, Grep]`,
      'SKM09 allowed-tools: a list instead of the string "Read Grep"',
      'SKM09 allowed-tools: a list instead of the string "Read Grep"',
    ],
    [
      "SKM09: parentheses",
      `${good}\nallowed-tools: Read Bash(git:*`,
      'SKM09 allowed-tools: unbalanced parentheses in "Bash(git:*"',
      'SKM09 allowed-tools: unbalanced parentheses in "Bash(git:*"',
    ],
  ])("%s", async (_, written, strict, lenient) => {
    const isFile = typeof written !== "string" || /^(?:---|#)/.test(written);
    const files = isFile ? { "SKILL.md": written } : skillMd(written as string);

    expect(await verdict(files, "strict")).toEqual({ found: [`error ${strict}`], isLoaded: false });
    expect(await verdict(files, "lenient")).toEqual(
      lenient === null
        ? { found: [`error ${strict}`], isLoaded: false }
        : { found: [`warning ${lenient}`], isLoaded: true },
    );
  });

  test.each([
    [
      "SKM03: 201 lines",
      `${good}\n${"# more\n".repeat(198)}#`,
      "SKM03 SKILL.md:1: frontmatter has 201 lines, recommended at most 200",
    ],
    [
      "SKM08: a switch nobody understands",
      `${good}\nmetadata:\n  eval-skills.user-invocable: nope`,
      'SKM08 metadata.eval-skills.user-invocable is "nope"',
    ],
    [
      "SKM08: a time that is none",
      `${good}\nmetadata:\n  eval-skills.max-script-time-sec: soon`,
      'SKM08 metadata.eval-skills.max-script-time-sec is "soon"',
    ],
    [
      "SKM09: an unknown tool",
      `${good}\nallowed-tools: Read Frobnicate(x)`,
      'SKM09 allowed-tools: unknown tool "Frobnicate(x)"',
    ],
    ["SKM10: an unknown field", `${good}\ncategory: tools`, 'SKM10 unknown field "category"'],
  ])("%s is a warning in both profiles", async (_, fields, warning) => {
    for (const profile of ["strict", "lenient"] as const)
      expect(await verdict(skillMd(fields), profile)).toEqual({
        found: [`warning ${warning}`],
        isLoaded: true,
      });
  });

  test.each([
    [
      "all six fields",
      `${good}\nlicense: MIT\ncompatibility: Needs git\nallowed-tools: Bash(git:* add) Read\nmetadata:\n  a: b`,
    ],
    [
      "exactly the limits",
      `name: my-skill\ndescription: ${"字".repeat(1024)}\ncompatibility: ${"c".repeat(500)}`,
    ],
    ["200 lines", `${good}\n${"# more\n".repeat(197)}#`],
    ["eight levels", `${good}\nx: [[[[[[[deep]]]]]]]`],
    [
      "eight levels, and text on a line of its own",
      `${good}\nx: # [\n a:\n  a:\n   a:\n    a:\n     a:\n      a:\n       text`,
    ],
    [
      "quoted colons, lists and maps",
      `name: 'my-skill'\ndescription: "Use: always"\nmetadata: { "a": "b: c", d: 'e' }`,
    ],
    ["comments", `# a comment\n${good} # another: one\n`],
    ["tools of other agents", `${good}\nallowed-tools: Task mcp__github__create_issue WebSearch run_script`],
    ["metadata without anything", `${good}\nmetadata:`],
  ])("%s: clean", async (_, fields) => {
    const files = skillMd(fields);
    const unknown = fields.includes("\nx: ") ? ['warning SKM10 unknown field "x"'] : [];
    for (const profile of ["strict", "lenient"] as const)
      expect(await verdict(files, profile)).toEqual({ ...clean, found: unknown });
  });
});

describe("names", () => {
  const characters = (count: number) => "a".repeat(count);
  test.each<[string, string, string[], string[] | null]>([
    // name, folder, what strict says, what lenient says; null where it is an error there too
    ["a", "a", [], []],
    [characters(64), characters(64), [], []],
    [
      characters(65),
      characters(65),
      [`SKM04 name "${characters(65)}": 65 characters, limit 64`],
      [`SKM04 name "${characters(65)}": 65 characters, limit 64`],
    ],
    ["-a", "-a", ['SKM04 name "-a": starts or ends with -'], ['SKM04 name "-a": starts or ends with -']],
    ["a--b", "a--b", ['SKM04 name "a--b": contains --'], ['SKM04 name "a--b": contains --']],
    ["A", "A", ['SKM04 name "A": upper-case letters'], ['SKM04 name "A": upper-case letters']],
    [
      "a_b",
      "a_b",
      ['SKM04 name "a_b": characters other than a-z, 0-9 and -'],
      ['SKM04 name "a_b": characters other than letters, digits and -'],
    ],
    ["技能", "技能", ['SKM04 name "技能": characters other than a-z, 0-9 and -'], []],
    [
      "ｆｕｌｌ",
      "full",
      [
        'SKM04 name "ｆｕｌｌ": characters other than a-z, 0-9 and -',
        'SKM05 name "ｆｕｌｌ" does not match folder "full"',
      ],
      [],
    ],
    ["a", "b", ['SKM05 name "a" does not match folder "b"'], ['SKM05 name "a" does not match folder "b"']],
    ["../x", "x", ['SKM04 name "../x": a path separator'], null],
    ["..", "x", ['SKM04 name "..": only dots'], null],
    ["'a\\b'", "x", ['SKM04 name "a\\b": a path separator'], null],
    ['"a\\tb"', "x", ['SKM04 name "a\\tb": a control character'], null],
    ["''", "x", ['SKM04 name "": empty'], null],
    ["[a]", "x", ['SKM04 name "": it is a list'], null],
    ["007", "007", [], []],
  ])("%s in the folder %s", async (name, folder, strict, lenient) => {
    const files = skillMd(`name: ${name}\ndescription: Does it.`);

    expect(await verdict(files, "strict", folder)).toEqual({
      found: strict.map((line) => `error ${line}`),
      isLoaded: strict.length === 0,
    });
    expect(await verdict(files, "lenient", folder)).toEqual({
      found: (lenient ?? strict).map((line) => `${lenient === null ? "error" : "warning"} ${line}`),
      isLoaded: lenient !== null,
    });
  });

  test("the file may be called skill.md in lenient only", async () => {
    const files = { "skill.md": `---\n${good}\n---\nDo it.\n` };

    expect(await verdict(files, "strict")).toEqual({
      found: ["error SKD07 skill.md: expected SKILL.md"],
      isLoaded: false,
    });
    expect(await verdict(files, "lenient")).toEqual({
      found: ["warning SKD07 skill.md: expected SKILL.md"],
      isLoaded: true,
    });
  });
});

describe("frontmatter", () => {
  test.each([
    ["a byte order mark", `\ufeff---\n${good}\n---\nDo it.\n`],
    ["CRLF", `---\n${good}\n---\nDo it.\n`.replaceAll("\n", "\r\n")],
    ["both", `\ufeff---\n${good}\n---\nDo it.\n`.replaceAll("\n", "\r\n")],
  ])("%s does no harm", async (_, text) => {
    const { skill, lines } = await examined({ "SKILL.md": text });

    expect(lines).toEqual([]);
    expect(skill).toMatchObject({ id: "my-skill", description: "Does it. Use when it has to be done." });
  });

  test("a file may end at ---, which leaves it without a body", async () => {
    const { skill, lines } = await examined({ "SKILL.md": `---\n${good}\n---` });

    expect(skill?.id).toBe("my-skill");
    expect(lines).toEqual(["SKM11 body: 0 lines, recommended at least 1"]);
  });

  test("--- ends the block only as a whole line", async () => {
    const description = "a --- b\n  ---\n  c";
    const { skill, lines } = await examined(skillMd(`name: my-skill\ndescription: |\n  ${description}`));

    expect(lines).toEqual([]);
    expect(skill?.description).toBe("a --- b\n---\nc");
  });

  test("every scalar stays the text that was written", async () => {
    const fields =
      "name: 007\ndescription: >-\n  Does\n  it.\nmetadata: { version: 1.10, a: yes, b: ~, c: 0x10 }";
    const { skill, lines } = await examined(skillMd(fields), { folder: "007" });

    expect(lines).toEqual([]);
    expect(skill).toMatchObject({ id: "007", description: "Does it.", version: "1.10" });
    expect(skill?.extra).toEqual({ metadata: { a: "yes", b: "~", c: "0x10" } });
  });

  test("64 KiB are read, one byte more is not", async () => {
    const filled = (bytes: number) => {
      const head = `${good}\n# `;
      return skillMd(`${head}${"x".repeat(bytes - head.length - 1)}`);
    };

    expect((await examined(filled(65_536))).lines).toEqual([]);
    expect((await examined(filled(65_537))).lines).toEqual([
      "SKM03 SKILL.md:1: frontmatter of more than 64 KiB is not allowed",
    ]);
  });

  test("an alias bomb is refused unread", async () => {
    const bomb = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`)}]`);
    const { skill, diagnostics } = await examined(skillMd(`${good}\nl0: &l0 [lol]\n${bomb.join("\n")}`), {
      profile: "lenient",
    });

    expect(skill).toBeNull();
    expect(diagnostics.filter(({ code }) => code === "SKM03")).toHaveLength(10 + 81);
    expect(diagnostics[0]).toMatchObject({ line: 4, message: "SKILL.md:4: the anchor &l0 is not allowed" });
  });

  test("what an author meant by unquoted text is read, also over several lines", async () => {
    const fields =
      "name: my-skill\ndescription: Use it: it's good\n  and: so on # 5\nlicense: MIT # note: free";
    const { skill, lines } = await examined(skillMd(fields), { profile: "lenient" });

    expect(lines).toEqual(['SKM02 SKILL.md:3: the value of description contains ": " and is not quoted']);
    expect(skill?.description).toBe("Use it: it's good and: so on # 5");
    expect(skill?.extra).toEqual({ license: "MIT" });
  });

  test("everything that is wrong is reported at once, with its location", async () => {
    const fields =
      "name: My_Skill\nname: b\ndescription: Use it: now\nmetadata:\n  a: [b]\nallowed-tools: Read,Grep\nfoo: &x bar";
    const { skill, diagnostics } = await examined(skillMd(fields, ""));

    expect(skill).toBeNull();
    expect(diagnostics.map(({ code, line, column, jsonPath }) => [code, line, column, jsonPath])).toEqual([
      ["SKM04", 2, 1, "$.name"],
      ["SKM05", 2, 1, "$.name"],
      ["SKM03", 3, 1, null],
      ["SKM02", 4, 1, null],
      ["SKM08", 6, 3, "$.metadata.a"],
      ["SKM09", 7, 1, "$.allowed-tools"],
      ["SKM03", 8, 6, null],
      ["SKM10", 8, 1, "$.foo"],
      ["SKM11", 9, 1, null],
    ]);
  });

  test("whatever the text says, reading it ends with findings", async () => {
    const piece = fc.constantFrom(
      "---\n",
      "---",
      "\n",
      "name: ",
      "my-skill\n",
      "description: ",
      "a: b: c\n",
      "- ",
      "? ",
      ": ",
      "[",
      "{",
      "]",
      "}",
      "'",
      '"',
      "|\n",
      ">-\n  ",
      "&a ",
      "*a ",
      "!!str ",
      "<<: ",
      "  ",
      "\t",
      "#",
      "`",
      "](",
      "\u0000",
      "\u001f",
      "\r\n",
      "\ufeff",
      "…",
      "%YAML 1.1\n",
      "metadata:\n  ",
      "allowed-tools: Bash(\n",
      "<!--",
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 40 })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (words, isFramed) => {
        const files = { "SKILL.md": isFramed ? `---\n${words}\n---\n${words}` : words };
        const { skill, diagnostics } = await examined(files);
        expect(skill === null || diagnostics.every(({ severity }) => severity === "warning")).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what the model of a skill holds", () => {
  test("all fields are read, and unknown ones are kept", async () => {
    const { skill, lines } = await examined({
      "scripts/fill.py": "",
      ...skillMd(`name: my-skill
description: |
  Fills forms.
license: MIT
compatibility: Needs python3
allowed-tools: Bash(python3:*, x y) Read Glob LS Frob(a b) Task
metadata:
  version: 1.2.0
  author: me
  tags: pdf; forms ;
  triggers: 填表; fill form
  not_for: merge PDFs
  eval-skills.disable-model-invocation: "true"
  eval-skills.user-invocable: "false"
  eval-skills.requires: other-skill  third
  eval-skills.max-script-time-sec: "30"
  eval-skills.allow-network: "false"
`),
    });

    expect(lines).toEqual(['SKM09 allowed-tools: unknown tool "Frob(a b)"']);
    expect(skill).toMatchObject({
      id: "my-skill",
      kind: "agent-skill",
      kinds: ["agent-skill"],
      version: "1.2.0",
      description: "Fills forms.",
      tags: ["pdf", "forms"],
      triggers: ["填表", "fill form"],
      notFor: ["merge PDFs"],
      manifest: null,
      instructions: { path: "SKILL.md", format: "md" },
      scripts: ["scripts/fill.py"],
      adapter: null,
      controls: {
        modelInvocable: false,
        userInvocable: false,
        requires: ["other-skill", "third"],
        allowedTools: {
          tokens: ["Bash(python3:*, x y)", "Read", "Glob", "LS", "Frob(a b)", "Task"],
          mapped: ["run_script", "run_command", "read_file", "list_dir"],
          unmapped: ["Frob(a b)", "Task"],
        },
      },
      extra: {
        license: "MIT",
        compatibility: "Needs python3",
        metadata: {
          author: "me",
          "eval-skills.max-script-time-sec": "30",
          "eval-skills.allow-network": "false",
        },
      },
    });
  });

  test("client fields at the top level are read with a warning; metadata wins", async () => {
    const fields = `${good}\nversion: 1.0.0\nauthor: me\nuser-invocable: False\ndisable-model-invocation: true\nrequires: [a, b]\nmetadata:\n  version: 2.0.0`;
    const { skill, diagnostics } = await examined(skillMd(fields));

    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ["SKM10", 'unknown field "version"', "move it under metadata, as version"],
      ["SKM10", 'unknown field "author"', "move it under metadata, as author"],
      ["SKM10", 'unknown field "user-invocable"', "move it under metadata, as eval-skills.user-invocable"],
      [
        "SKM10",
        'unknown field "disable-model-invocation"',
        "move it under metadata, as eval-skills.disable-model-invocation",
      ],
      ["SKM10", 'unknown field "requires"', "move it under metadata, as eval-skills.requires"],
    ]);
    expect(skill).toMatchObject({
      version: "2.0.0",
      controls: { userInvocable: false, modelInvocable: false, requires: ["a", "b"] },
      extra: { metadata: { author: "me" } },
    });
  });

  test("nested metadata is kept in lenient, and means nothing", async () => {
    const { skill } = await examined(skillMd(`${good}\nmetadata:\n  tags: [a]\n  version: { major: 1 }`), {
      profile: "lenient",
    });

    expect(skill).toMatchObject({
      tags: [],
      version: null,
      extra: { metadata: { tags: ["a"], version: { major: "1" } } },
    });
  });

  test("a misspelt field is reported with the one that was meant", async () => {
    const { diagnostics } = await examined(skillMd(`${good}\nlicence: MIT\nallowed_tools: Read`));

    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      "did you mean license?",
      "did you mean allowed-tools?",
    ]);
  });
});
