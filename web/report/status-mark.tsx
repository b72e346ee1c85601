import type { Verdict } from "../../src/contract/result.ts";

/** Everything with its own shape: verdicts, no verdict, and a pass after a retry. */
export type Mark = Verdict | "none" | "repaired";

/** A shape for each verdict, so that nobody has to tell them apart by colour. */
export function StatusMark({ status, size = 16 }: { status: Mark | "absent"; size?: number }) {
  return (
    <svg
      class={`mark mark-${status}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[status]}
    </svg>
  );
}

const shapes = {
  pass: (
    <>
      <circle class="body" cx="8" cy="8" r="7.25" />
      <path class="sign" d="M4.6 8.3 7 10.7 11.5 5.7" />
    </>
  ),
  repaired: (
    <>
      <circle class="ring" cx="8" cy="8" r="6.6" />
      <path class="stroke" d="M4.9 8.3 7 10.4 11.1 5.9" />
    </>
  ),
  fail: (
    <>
      <rect class="body" x="1" y="1" width="14" height="14" rx="2.5" />
      <path class="sign" d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" />
    </>
  ),
  error: (
    <>
      <path class="body" d="M8 .9 15.6 14.6H.4Z" />
      <path class="sign" d="M8 5.8v4.1m0 2v.4" />
    </>
  ),
  timeout: (
    <>
      <circle class="ring" cx="8" cy="8" r="6.4" />
      <path class="stroke" d="M8 4.3V8l2.6 1.7" />
    </>
  ),
  invalid: (
    <>
      <circle class="ring dashed" cx="8" cy="8" r="6.6" />
      <path class="stroke" d="M6 6.3a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1m0 2.1v.2" />
    </>
  ),
  none: <circle class="ring" cx="8" cy="8" r="6.4" />,
  absent: <path class="stroke" d="M5 8h6" />,
};
