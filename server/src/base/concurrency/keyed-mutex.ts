import { aborted } from './aborted.ts'

/** Does what is wanted under one key one after the other. */
export type KeyedMutex = <T>(key: string, signal: AbortSignal | undefined, act: () => Promise<T>) => Promise<T>

/** Who does not want it any more does not wait for it. */
export function keyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, signal, act) => {
    const request = async () => {
      signal?.throwIfAborted()
      return act()
    }
    const turn = (last.get(key) ?? Promise.resolve()).then(request, request)
    last.set(key, turn)
    const leave = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(leave, leave)
    return signal ? Promise.race([turn, rejected(signal)]) : turn
  }
}

async function rejected(signal: AbortSignal): Promise<never> {
  await aborted(signal)
  throw signal.reason
}
