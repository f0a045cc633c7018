/** Something that changes, and those who wait for it to change again. */
export class Signal {
  #version = 0
  readonly #waiting = new Set<() => void>()

  /** Taken before looking, so that a change during the look is not missed. */
  get version(): number {
    return this.#version
  }

  beat(): void {
    this.#version++
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Resolves once it has changed since `version`, or when the signal aborts. Never rejects. */
  async changed(version: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const wake = () => resolve()
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    this.#waiting.delete(resolve)
  }
}
