import fc from "fast-check";
import { expect, test } from "vitest";
import { StreamTail } from "./bytes-to-text.ts";

test("the tail is the end of what came, however it came, and says when something before it was dropped", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), (pieces, cap) => {
      const tail = new StreamTail(cap);
      for (const piece of pieces) tail.take(Buffer.from(piece));
      const whole = pieces.join("");
      expect(tail.text()).toBe(whole.length > cap ? `…${whole.slice(-cap)}` : whole);
    }),
  );
});

test("a character that the cap cut in two is left out", () => {
  const tail = new StreamTail(4);
  tail.take(Buffer.from("東京"));
  expect(tail.text()).toBe("…京");
});

test("bytes that are not text become base64", () => {
  const tail = new StreamTail(10);
  tail.take(Buffer.from([0x61, 0xff]));
  expect(tail.text()).toBe("base64:Yf8=");
});

test("it holds little more than its cap, however much flows through", () => {
  const tail = new StreamTail(65_536);
  const piece = Buffer.alloc(65_536, "x");
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 1000; round++) tail.take(Buffer.from(piece));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1_048_576);
  expect(tail.text()).toHaveLength(1 + 65_536);
});

test("once cleared it begins anew", () => {
  const tail = new StreamTail(10);
  tail.take(Buffer.from("old"));
  tail.clear();
  expect(tail.text()).toBe("");
  tail.take(Buffer.from("new"));
  expect(tail.text()).toBe("new");
});
