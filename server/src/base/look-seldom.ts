/** The same look, made at most once in `everyMs` however many ask; what fails is told to all who wait, and not kept. */
export function lookSeldom<T>(everyMs: number, look: () => Promise<T>, nowMs = () => performance.now()) {
  let looking: Promise<T> | undefined
  let lookedAt = -Infinity
  return (): Promise<T> => {
    const now = nowMs()
    if (looking && now - lookedAt < everyMs) return looking
    lookedAt = now
    const begun = look()
    looking = begun
    begun.catch(() => {
      if (looking === begun) looking = undefined
    })
    return begun
  }
}
