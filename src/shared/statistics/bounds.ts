/** Two ends of a 95 % interval. */
export interface Bounds {
  lower: number;
  upper: number;
}
