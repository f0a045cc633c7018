/** Names as they are stored: in order, each once. */
export function labelSet(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort()
}
