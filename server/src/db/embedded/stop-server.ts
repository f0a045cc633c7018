import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOf, readPidFile } from './find-server.ts'

/** `fast` ends sessions and writes a checkpoint; `immediate` writes nothing, and the next start recovers. */
export type How = 'fast' | 'immediate'

const lookMs = 20
/** A fast end that takes longer becomes an immediate one; after that PostgreSQL is killed, of which it recovers too. */
const fastMsMax = 20_000
const immediateMsMax = 10_000

export const dataOf = (home: string) => path.join(home, 'data')

/** Ends the server over these data, if one runs, also a frozen one. Resolves when it has ended. */
export async function stopServer(data: string, how: How): Promise<void> {
  const steps = [['SIGINT', fastMsMax] as const, ['SIGQUIT', immediateMsMax] as const, ['SIGKILL', 1_000] as const]
  for (const [signal, waitMs] of how === 'fast' ? steps : steps.slice(1)) {
    const pid = signalServer(data, signal)
    if (pid === undefined) return
    for (const until = Date.now() + waitMs; Date.now() < until && isServerOf(pid, data);) await sleep(lookMs)
  }
}

/** The same without waiting. Answers whom it was said to. */
export function signalServer(data: string, signal: NodeJS.Signals): number | undefined {
  const named = readPidFile(data)
  if (!named || !isServerOf(named.pid, data)) return undefined
  try {
    process.kill(named.pid, signal)
    process.kill(named.pid, 'SIGCONT')
  } catch {
    return undefined
  }
  return named.pid
}
