import { expect, test } from "vitest";
import { type ContainmentDemand, chooseLevel } from "./choose-level.ts";

const nothing: ContainmentDemand = {
  level: "auto",
  floor: null,
  floorFile: null,
  network: null,
  allowNetwork: [],
};

test("auto is the strongest that can be proven here, and never off", () => {
  expect(chooseLevel(nothing)).toBe("process");
});

test("process and off are taken at their word", () => {
  expect(chooseLevel({ ...nothing, level: "process" })).toBe("process");
  expect(chooseLevel({ ...nothing, level: "off" })).toBe("off");
});

for (const level of ["strict", "reduced"] as const) {
  test(`${level} that cannot be proven refuses the run`, () => {
    expect(() => chooseLevel({ ...nothing, level })).toThrow(
      expect.objectContaining({
        code: "sandbox-unavailable",
        message: expect.stringContaining("E_SANDBOX_UNAVAILABLE"),
      }),
    );
  });

  test(`a floor of ${level} refuses any level below it, and names its file`, () => {
    for (const asked of ["auto", "process", "off"] as const) {
      expect(() =>
        chooseLevel({ ...nothing, level: asked, floor: level, floorFile: "/my/config.yaml" }),
      ).toThrow(
        expect.objectContaining({
          code: "sandbox-unavailable",
          message: expect.stringContaining("/my/config.yaml"),
        }),
      );
    }
  });
}

test("a closed network that cannot be had refuses the run", () => {
  expect(() => chooseLevel({ ...nothing, network: "none" })).toThrow(/--network none/);
  expect(() => chooseLevel({ ...nothing, allowNetwork: ["example.org"] })).toThrow(/--allow-network/);
});

test("an open network is what there is", () => {
  expect(chooseLevel({ ...nothing, network: "open" })).toBe("process");
});
