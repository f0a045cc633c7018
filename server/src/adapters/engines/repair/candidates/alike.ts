/** With how many characters both texts begin. */
export function alikeAtStart(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

/** With how many characters both texts end. */
export function alikeAtEnd(one: string, other: string): number {
  let count = 0
  while (count < one.length && one.at(-1 - count) === other.at(-1 - count)) count++
  return count
}
