/** Resolves at the first SIGINT or SIGTERM; each later one is given to `onAnother`. */
export function signalled(onAnother: (signal: { msSinceFirst: number }) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (firstAt !== undefined) return onAnother({ msSinceFirst: performance.now() - firstAt })
        firstAt = performance.now()
        resolve(signal)
      })
    }
  })
}
