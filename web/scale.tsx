/** The numbers of the axis that plots below share. */
export function Scale() {
  return (
    <span class="scale" aria-hidden="true">
      <span>0</span>
      <span>50</span>
      <span>100 %</span>
    </span>
  );
}
