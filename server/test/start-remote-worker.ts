import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { startProcess, stopProcess } from './service.ts'

export type Machine = { dataDir: string; settings: Record<string, string> }

export type RemoteWorker = { child: ChildProcess; dataDir: string }

export type StartRemoteWorker = {
  /** Where the service is, the token, and what else its machine sets. */
  env: Record<string, string>
  onSaid: (text: string) => void
  /** Told what to do at the end; the test runner when left out. */
  defer?: (cleanUp: () => Promise<void>) => void
}

/** Another machine, with a data folder of its own; of the service it knows what `env` says, and nothing else. */
export function makeMachine(env: Record<string, string>): Machine {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'remote-worker-'))
  chmodSync(dataDir, 0o711)
  return { dataDir, settings: { RUNWRIGHT_DATA_DIR: dataDir, ...env } }
}

/** Starts a remote worker on a machine of its own; stopped and removed after the file's tests. Resolves when the service has taken it. */
export async function startRemoteWorker({ env, onSaid, defer = after }: StartRemoteWorker): Promise<RemoteWorker> {
  const { dataDir, settings } = makeMachine(env)
  const { child, ready } = startProcess('remote-worker', { env: settings, onSaid })
  defer(async () => {
    await stopProcess(child)
    await rm(dataDir, { recursive: true, force: true })
  })
  await ready
  return { child, dataDir }
}
