import { isThere, type ToolName, tools } from "./tools.ts";

/** Says before the first test what this machine can do and what will be skipped. */
export default function sayNeeds(): void {
  console.log("The slow half of the fault matrix (docs/faults.md). It needs:");
  for (const name of Object.keys(tools) as ToolName[]) {
    const { what, rows, install } = tools[name];
    const rowWords = `row${rows.length > 1 ? "s" : ""} ${rows.join(", ")}`;
    if (isThere(name)) console.log(`  ok       ${what} (${rowWords})`);
    else console.log(`  MISSING  ${what}: what needs it of ${rowWords} is SKIPPED. To have it: ${install}`);
  }
  console.log("  Row 34 in full needs a real model and is not part of this suite.");
}
