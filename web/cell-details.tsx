import type { ComponentChildren } from "preact";
import { countOf } from "../src/base/count-of.ts";
import type { TaskFacts } from "../src/contract/report.ts";
import type { Attempt } from "../src/contract/result.ts";
import { milliseconds } from "../src/reporters/format-numbers.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { askedParts } from "./asked-parts.ts";
import { cellDigests, cellFacts } from "./cell-facts.ts";
import { Comparison } from "./comparison.tsx";
import { describeAnswer } from "./describe-answer.ts";
import { FactList } from "./fact-list.tsx";
import { readComparison } from "./read-comparison.ts";
import type { SkillCell } from "./skill-cell.ts";
import { StrangerText } from "./stranger-text.tsx";

/** All that is kept about one cell, and what its task asked for where the report tells. */
export function CellDetails({ cell, task }: { cell: SkillCell; task: TaskFacts | undefined }) {
  const comparison = cell.reason === null ? null : readComparison(cell.reason);
  const answer = describeAnswer(cell);
  const values = [...askedParts(task), ...(answer === null ? [] : [answer])];
  return (
    <div class="details">
      {task !== undefined && task.description !== null && (
        <p class="description">
          <StrangerText text={task.description} limit={1000} />
        </p>
      )}
      {values.length > 0 && (
        <div class="values">
          {values.map(({ title, text }) => (
            <Part key={title} title={title}>
              <pre>{readableText(text)}</pre>
            </Part>
          ))}
        </div>
      )}
      <div class="details-main">
        {cell.status === "invalid" && (
          <p class="under">Invalid: no verdict. It counts neither for nor against the skill.</p>
        )}
        {cell.error !== null && (
          <Part title={`Error: ${cell.error.code}`}>
            <pre>{readableText(cell.error.message)}</pre>
          </Part>
        )}
        {cell.reason !== null && comparison === null && (
          <Part title="Reason">
            <pre>{readableText(cell.reason)}</pre>
          </Part>
        )}
        {comparison !== null && <Comparison comparison={comparison} />}
        {cell.rawBase64 !== undefined && (
          <Part title="Answer as it came, base64">
            <pre>{readableText(cell.rawBase64)}</pre>
          </Part>
        )}
        {cell.stderrTail !== undefined && (
          <Part title="End of stderr">
            <pre>{readableText(cell.stderrTail)}</pre>
          </Part>
        )}
        <Lines title="Warnings" lines={cell.warnings} />
        <Lines title="Lines that were no answer" lines={cell.stray} />
      </div>
      <div class="details-side">
        <FactList facts={cellFacts(cell)} />
        <Attempts attempts={cell.attempts} />
        <FactList class="digests" facts={cellDigests(cell)} />
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{readableText(title)}</h3>
      {children}
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] | undefined }) {
  if (lines === undefined || lines.length === 0) return null;
  return (
    <Part title={title}>
      <pre>{lines.map(readableText).join("\n")}</pre>
    </Part>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <section class="part">
      <h3>{countOf(attempts.length, "attempt")}</h3>
      <ol class="attempts">
        {attempts.map(({ n, status, code, latencyMs, message }) => (
          <li key={n}>
            <span class="attempt-line">
              {status}
              {code !== null && ` (${code})`} after {milliseconds(latencyMs)}
            </span>
            {message !== null && (
              <span class="why">
                <StrangerText text={message} limit={400} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
