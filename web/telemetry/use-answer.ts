import { useEffect, useState } from "preact/hooks";

/** What the server said last, and what went wrong since. */
export interface Answer<Value> {
  value: Value | null;
  problem: string | null;
  isAsking: boolean;
}

/** Asks again whenever the question changes. What was said before stays in sight until there is something newer. */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  question: readonly unknown[],
): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ value: null, problem: null, isAsking: true });
  useEffect(() => {
    const left = new AbortController();
    setAnswer((before) => ({ ...before, isAsking: true }));
    ask(left.signal).then(
      (value) => setAnswer({ value, problem: null, isAsking: false }),
      (error: Error) => {
        if (!left.signal.aborted)
          setAnswer((before) => ({ ...before, problem: error.message, isAsking: false }));
      },
    );
    return () => left.abort();
  }, question);
  return answer;
}
