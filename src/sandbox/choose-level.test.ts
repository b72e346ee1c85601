import { describe, expect, test } from "vitest";
import {
  type ContainmentDemand,
  chooseLevel,
  type ProvenLevel,
  requestedContainment,
} from "./choose-level.ts";

const nothing: ContainmentDemand = { level: "auto", floors: [], network: null, allowNetwork: [] };

const strict: ProvenLevel = { level: "strict", pieces: [] };
const reduced: ProvenLevel = { level: "reduced", pieces: [] };
const unproven: ProvenLevel = {
  level: "process",
  pieces: [
    {
      name: "bubblewrap",
      isOk: false,
      state: "not found",
      remedy: "sudo apt-get install bubblewrap",
      note: "0.8 or newer",
      fix: "sudo apt-get install bubblewrap",
    },
    {
      name: "user namespaces",
      isOk: false,
      state: "refused",
      remedy: "kernel.apparmor_restrict_unprivileged_userns = 1",
      note: null,
      fix: null,
    },
    { name: "seccomp filter", isOk: true, state: "ok", remedy: null, note: null, fix: null },
  ],
};

const choose = (demand: Partial<ContainmentDemand>, proven: ProvenLevel | null) =>
  chooseLevel(requestedContainment({ ...nothing, ...demand }), proven);

describe("the level", () => {
  test.each([strict, reduced, unproven])("auto is the strongest that was proven: %o", (proven) => {
    expect(choose({}, proven)).toBe(proven.level);
  });

  test("process and off are taken at their word", () => {
    expect(choose({ level: "process" }, null)).toBe("process");
    expect(choose({ level: "off" }, null)).toBe("off");
  });

  test("reduced is the least that is accepted, not the most", () => {
    expect(choose({ level: "reduced" }, reduced)).toBe("reduced");
    expect(choose({ level: "reduced" }, strict)).toBe("strict");
  });

  test("strict that cannot be proven refuses the run, says what is missing and how to fix it", () => {
    let refusal: unknown;
    try {
      choose({ level: "strict" }, unproven);
    } catch (error) {
      refusal = error;
    }

    expect(refusal).toMatchObject({
      code: "sandbox-unavailable",
      exitCode: 2,
      path: null,
      hint: "`eval-skills doctor` lists every check. On a throw-away machine `--sandbox auto` uses what is available and records the level with each result.",
    });
    expect((refusal as Error).message).toBe(
      [
        "E_SANDBOX_UNAVAILABLE: strict containment was requested but cannot be proven here. Nothing was run.",
        "  bubblewrap        not found       sudo apt-get install bubblewrap        (0.8 or newer)",
        "  user namespaces   refused         kernel.apparmor_restrict_unprivileged_userns = 1",
        "  seccomp filter    ok",
      ].join("\n"),
    );
  });

  test("reduced does for reduced, and not for strict", () => {
    expect(() => choose({ level: "strict" }, reduced)).toThrow(/^E_SANDBOX_UNAVAILABLE: strict containment/);
    expect(() => choose({ level: "reduced" }, unproven)).toThrow(/^E_SANDBOX_UNAVAILABLE: reduced/);
  });
});

describe("a floor", () => {
  const floors = [
    { level: "reduced", file: "/my/config.yaml" },
    { level: "strict", file: "/my/bench.json" },
  ] as const;

  test("is a demand: what it asks for must be proven, and the refusal names its file", () => {
    expect(choose({ floors }, strict)).toBe("strict");
    expect(() => choose({ floors }, reduced)).toThrow(
      expect.objectContaining({
        code: "sandbox-unavailable",
        path: "/my/bench.json",
        message: expect.stringContaining(
          "strict containment is required by /my/bench.json but cannot be proven here",
        ),
        hint: expect.stringContaining("remove the floor from that file"),
      }),
    );
    expect(choose({ floors: floors.slice(0, 1) }, reduced)).toBe("reduced");
  });

  test.each(["reduced", "process", "off"] as const)("--sandbox %s below it is refused", (level) => {
    expect(() => choose({ level, floors }, strict)).toThrow(
      expect.objectContaining({
        code: "sandbox-unavailable",
        path: "/my/bench.json",
        message: `E_SANDBOX_UNAVAILABLE: --sandbox ${level} is weaker than strict, the floor set in /my/bench.json. Nothing was run.`,
      }),
    );
  });
});

describe("the network", () => {
  const networkOf = (demand: Partial<ContainmentDemand>) =>
    requestedContainment({ ...nothing, ...demand }).network;
  const strictFloor = [{ level: "strict", file: "f" }] as const;

  test("is open unless strict is demanded", () => {
    expect(networkOf({})).toBe("open");
    expect(networkOf({ level: "process" })).toBe("open");
    expect(networkOf({ level: "reduced" })).toBe("open");
    expect(networkOf({ level: "strict" })).toBe("none");
    expect(networkOf({ floors: strictFloor })).toBe("none");
  });

  test("is what was said about it, whatever the level", () => {
    expect(networkOf({ level: "strict", network: "open" })).toBe("open");
    expect(networkOf({ network: "none" })).toBe("none");
    expect(networkOf({ allowNetwork: ["a.example"] })).toEqual(["a.example"]);
    expect(networkOf({ network: "none", allowNetwork: ["a.example"] })).toEqual(["a.example"]);
  });

  test("cannot be open and open for some only", () => {
    expect(() => networkOf({ network: "open", allowNetwork: ["a.example"] })).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });

  test.each([
    ["--network none", { network: "none" }],
    ["--allow-network", { allowNetwork: ["a.example"] }],
  ] as const)("%s where nothing can close it refuses the run", (flag, demand) => {
    expect(choose(demand, reduced)).toBe("reduced");
    expect(() => choose(demand, unproven)).toThrow(
      `E_SANDBOX_UNAVAILABLE: ${flag} needs a sandbox that can restrict the network, and level process cannot. Nothing was run.\n  bubblewrap`,
    );
    expect(() => choose({ ...demand, level: "off" }, null)).toThrow("level off cannot");
  });
});
