import { expect, test } from "vitest";
import { eachYields, grade } from "../../../../test/forged-logs.ts";
import { cleanRun } from "../../../../test/forged-run.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";

const other = sha256("another content");
const pdf = { name: "pdf-form-filler", source: "project", digest: sha256("the skill") } as const;
const secret = { name: "secret-skill", source: "project", digest: sha256("secret") } as const;
const report = {
  path: "SKILL.md",
  sha256: other,
  excerpt_sha256: other,
  bytes_read: 1,
  chars_returned: 1,
  truncated: false,
};
const codes =
  "UnselectedBodyLoaded UnrequestedResourceLoaded LoadReportIncomplete StorageRefBroken BodyInContextBeforeLoad ContextExpectationFailed SkillDigestMismatch";

eachYields("disclosure", codes, [
  {
    code: "UnselectedBodyLoaded",
    what: "by another call",
    change: (run) => run.change("skill_loaded", { call_id: "c2" }),
  },
  {
    code: "UnselectedBodyLoaded",
    what: "another skill",
    change: (run) =>
      run.insert("action_executed", "skill_loaded", {
        call_id: "c1",
        skill: secret,
        path: "SKILL.md",
        report,
      }),
    case: { setup: { invoke_skills: ["secret-skill"] } },
  },
  {
    code: "UnselectedBodyLoaded",
    what: "before the selection was accepted",
    change: (run) => run.move("skill_loaded", "action_validated"),
  },
  {
    code: "UnrequestedResourceLoaded",
    what: "another path",
    change: (run) => run.change("resource_loaded", { path: "references/other.md" }),
  },
  {
    code: "UnrequestedResourceLoaded",
    what: "by another call",
    change: (run) => run.change("resource_loaded", { call_id: "c1" }),
  },
  {
    code: "LoadReportIncomplete",
    what: "no hash of the excerpt",
    change: (run) => run.change("skill_loaded", (data) => void delete data.report.excerpt_sha256),
  },
  {
    code: "LoadReportIncomplete",
    what: "null in the place of a length",
    change: (run) =>
      run.change("resource_loaded", (data) => void Object.assign(data.report, { bytes_read: null })),
  },
  {
    code: "LoadReportIncomplete",
    what: "cut, and the whole not kept",
    change: (run) =>
      run.change("resource_loaded", (data) => void Object.assign(data.report, { truncated: true })),
  },
  {
    code: "StorageRefBroken",
    what: "another content",
    change: (run) => run.files.set("observations/c3-stdout.txt", "forged"),
  },
  {
    code: "StorageRefBroken",
    what: "no such file",
    change: (run) => run.change("observation_recorded", { storage_ref: "observations/none.txt" }),
  },
  {
    code: "StorageRefBroken",
    what: "a file outside the run",
    change: (run) => {
      run.files.set("../final.md", "x");
      run.change("observation_recorded", { storage_ref: "../final.md", sha256: sha256("x") });
    },
  },
  {
    code: "StorageRefBroken",
    what: "the whole of a text that was cut",
    change: (run) => {
      run.files.set("observations/c2.txt", "redacted");
      const stored = { truncated: true, storage_ref: "observations/c2.txt", storage_sha256: other };
      run.change("resource_loaded", (data) => void Object.assign(data.report, stored));
    },
  },
  {
    code: "BodyInContextBeforeLoad",
    what: "a body in the first prompt",
    change: (run) => {
      const part = { kind: "body", ref: "load 0", sha256: other, chars: 10 } as const;
      run.change("model_request", (data) => void data.context_manifest?.push(part));
    },
  },
  {
    code: "BodyInContextBeforeLoad",
    what: "a resource by the event of a body",
    change: (run) => {
      const part = { kind: "resource", ref: "load 0", sha256: other, chars: 10 } as const;
      run.change("model_request", (data) => void data.context_manifest?.push(part), 4);
    },
  },
  {
    code: "BodyInContextBeforeLoad",
    what: "a body of no event at all",
    change: (run) => {
      const part = { kind: "body", ref: null, sha256: other, chars: 10 } as const;
      run.change("model_request", (data) => void data.context_manifest?.push(part), 4);
    },
  },
  {
    code: "ContextExpectationFailed",
    what: "a canary stood in the prompt",
    change: (run) => {
      const expect_context = { ok: false, missing: [], present: ["CANARY-7f3a"] };
      run.change("model_response", { mock: { index: 0, expect_context } });
    },
  },
  {
    code: "SkillDigestMismatch",
    what: "a body",
    change: (run) => run.change("skill_loaded", { skill: { ...pdf, digest: other } }),
  },
  {
    code: "SkillDigestMismatch",
    what: "a skill that was installed",
    change: (run) =>
      run.change(
        "skills_indexed",
        ({ preinstalled }) => void Object.assign(preinstalled[0] ?? {}, { origin_digest: other }),
      ),
  },
]);

test("a text that was cut and kept whole is recorded well; the hash of its observation is that of the excerpt", async () => {
  const run = cleanRun();
  run.files.set("observations/c2.txt", "all of it, redacted");
  const stored = { storage_ref: "observations/c2.txt", storage_sha256: sha256("all of it, redacted") };
  run.change("resource_loaded", ({ report }) => void Object.assign(report, stored, { truncated: true }));
  run.change("action_executed", ({ result }) => void Object.assign(result, { truncated: true }), 1);
  run.change("observation_recorded", { storage_ref: "observations/c2.txt" }, 1);
  expect(await grade(run)).toMatchObject({ status: "pass" });
});

test("prompts that do not tell what they are made of prove nothing", async () => {
  const run = cleanRun().change("model_request", { context_manifest: null }, 2);
  expect(await grade(run)).toMatchObject({
    status: "invalid",
    no_verdict: { code: "NotObserved", message: expect.stringContaining("disclosure") },
    scores: { disclosure: { status: "not_observed", pass: null } },
  });
});

test("an expect_context of the script without a result is not observed", async () => {
  const turn = { raw: "", expect_context: { contains: ["x"] } };
  const mock = { turns: [turn] };
  expect(await grade(cleanRun(), { mock })).toMatchObject({ status: "invalid" });
  const seen = { index: 0, expect_context: { ok: true, missing: [], present: [] } };
  expect(await grade(cleanRun().change("model_response", { mock: seen }), { mock })).toMatchObject({
    status: "pass",
  });
});

test("a skill that another one hides has the digest it is listed with", async () => {
  const run = cleanRun();
  const hidden = { name: pdf.name, source: "user", digest: other } as const;
  run.change(
    "action_planned",
    (data) => void Object.assign(data.action.payload, { skills: [{ name: pdf.name, source: "user" }] }),
  );
  run.change("skill_loaded", { skill: hidden });
  expect(await grade(run)).toMatchObject({
    status: "invalid",
    scores: { disclosure: { status: "not_observed" } },
  });
  run.change("skills_indexed", { shadowed: [hidden] });
  expect(await grade(run)).toMatchObject({ status: "pass" });
});
