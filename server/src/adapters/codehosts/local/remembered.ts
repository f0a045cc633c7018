import { ByteCache } from '#base/byte-cache.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'

const kept = new ByteCache<unknown>(gitLimits.answersKeptBytesMax)
const underWay = new Map<string, Promise<unknown>>()

/**
 * What is made from objects of git, which never change: who asks for the same while it is made gets the same, and what is
 * asked for again is kept. The key must name the objects by their ids.
 */
export async function remembered<T>(key: string, bytesOf: (made: T) => number, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key) as T | undefined
  if (known !== undefined) return known
  const making = (underWay.get(key) as Promise<T> | undefined) ?? begin()
  return making

  function begin(): Promise<T> {
    const made = make().finally(() => underWay.delete(key))
    underWay.set(key, made)
    made.then(
      (value) => kept.set(key, value, bytesOf(value)),
      () => {},
    )
    return made
  }
}
