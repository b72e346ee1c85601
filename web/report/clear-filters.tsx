/** Takes every filter back. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <button type="button" class="quiet" onClick={onClear}>
      Clear filters
    </button>
  );
}
