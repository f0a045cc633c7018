/** A program that may not go somewhere seldom says so in words that anybody can act on. */
export function sayRefused(refused: { name: string; count: number }[]): string {
  if (refused.length === 0) return ''
  const names = refused.map(({ name, count }) => (count === 1 ? name : `${name} (${count} times)`)).join(', ')
  return `\n[The network refused ${names}. An ADMIN can allow names under Network in the settings of the repository or the organization.]`
}
