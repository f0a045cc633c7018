/** The median. */
export function middle(list: number[]): number {
  return [...list].sort((one, other) => one - other)[list.length >> 1] ?? NaN
}
