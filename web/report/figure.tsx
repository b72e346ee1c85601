/** A number in a table; an unknown one says why it is not known. */
export function Figure({ label, text, why }: { label: string; text: string; why: string }) {
  return (
    <td class="number" data-label={label}>
      {text === "–" ? (
        <span class="unknown" title={why}>
          –<span class="unseen"> ({why})</span>
        </span>
      ) : (
        text
      )}
    </td>
  );
}
