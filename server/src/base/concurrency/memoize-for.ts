/**
 * The same look, made at most once in `everyMs` and never twice at a time, however many ask. What fails is told to all
 * who wait, and not kept.
 */
export function memoizeFor<T>(everyMs: number, look: () => Promise<T>, nowMs = () => performance.now()) {
  let looking: Promise<T> | undefined
  let isPending = false
  let lookedAt = -Infinity
  return (): Promise<T> => {
    const now = nowMs()
    if (looking && (isPending || now - lookedAt < everyMs)) return looking
    lookedAt = now
    isPending = true
    const begun = look()
    looking = begun
    begun.then(
      () => (isPending = false),
      () => {
        isPending = false
        looking = undefined
      },
    )
    return begun
  }
}
