/** A place in a waiting room, of one that looks for work. */
export type Seat = Disposable & {
  /**
   * Resolves when it is this one's turn to look: something may have come, or nobody of its kind has looked for `restMs`; or when the
   * signal is aborted. Never rejects.
   */
  wait(restMs: number, signal: AbortSignal): Promise<void>
  /** It found something, so there may be more: the next one looks, too. */
  wakeNext(): void
  /** It cannot look now, and will not wait at once. If it was its turn, the next one looks. */
  pass(): void
}

type Waiting = { wake: () => void }
type Kind = {
  seats: number
  waiting: Set<Waiting>
  /** Something came while all were busy: the first to wait looks at once. */
  hasNews: boolean
  timer: NodeJS.Timeout | undefined
  dueAt: number
}

/**
 * Where those wait that look for work in the same queue. Those of one kind would find the same, so that at any news one of each kind
 * looks, another one for each that finds something, and so as many as there is work for. Keeps no process alive.
 */
export class WaitingRoom {
  readonly #kinds = new Map<string, Kind>()

  /** Something may have come that any kind can take. */
  wakeOneOfEach(): void {
    for (const kind of this.#kinds.values()) if (!wakeOne(kind)) kind.hasNews = true
  }

  enter(name: string): Seat {
    const kind = this.#kinds.get(name) ?? makeKind()
    this.#kinds.set(name, kind)
    kind.seats++
    let isItsTurn = false
    const pass = () => {
      if (isItsTurn && !wakeOne(kind)) kind.hasNews = kind.seats > 1
      isItsTurn = false
    }
    return {
      wait: async (restMs, signal) => {
        isItsTurn = false
        if (signal.aborted) return
        if (!kind.hasNews) isItsTurn = await waitIn(kind, restMs, signal)
        else [kind.hasNews, isItsTurn] = [false, true]
      },
      wakeNext: () => void wakeOne(kind),
      pass,
      [Symbol.dispose]: () => {
        pass()
        if (--kind.seats) return
        clearTimeout(kind.timer)
        this.#kinds.delete(name)
      },
    }
  }
}

const makeKind = (): Kind => ({ seats: 0, waiting: new Set(), hasNews: false, timer: undefined, dueAt: Infinity })

/** Whoever has waited longest. False where nobody waits. */
function wakeOne(kind: Kind): boolean {
  const [first] = kind.waiting
  first?.wake()
  return first !== undefined
}

/** True when it was woken, false when the signal was aborted. */
function waitIn(kind: Kind, restMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const leave = (isItsTurn: boolean) => {
      kind.waiting.delete(waiting)
      signal.removeEventListener('abort', giveUp)
      resolve(isItsTurn)
    }
    const giveUp = () => leave(false)
    const waiting: Waiting = { wake: () => leave(true) }
    signal.addEventListener('abort', giveUp)
    kind.waiting.add(waiting)
    wakeIn(kind, restMs)
  })
}

/** One timer for all of a kind: it rings for the one that wants to look soonest, and whoever is woken then sets it anew. */
function wakeIn(kind: Kind, restMs: number): void {
  const dueAt = performance.now() + restMs
  if (kind.timer && kind.dueAt <= dueAt) return
  clearTimeout(kind.timer)
  kind.dueAt = dueAt
  kind.timer = setTimeout(() => {
    kind.timer = undefined
    wakeOne(kind)
  }, restMs).unref()
}
