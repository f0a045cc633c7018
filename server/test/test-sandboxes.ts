import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { readProcess } from '#base/read-process.ts'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { readRecords } from '#adapters/sandboxes/process-record.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import type { Sandbox, SandboxLimits, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { Pauses, waitMsMax } from './pauses.ts'

const MiB = 1024 * 1024
const COMMAND_MS = 20_000

export const testLimits: SandboxLimits = {
  memoryBytes: 512 * MiB,
  processes: 128,
  diskBytes: 512 * MiB,
  lifetimeMs: 120_000,
}

export type TestSandboxes = {
  /** A folder of this test file, which the sandboxes' user may pass. */
  base: string
  folder: string
  provider: SandboxProvider
  /** The first process of a running sandbox, as this machine numbers it. */
  firstPid: (id: string) => number
}

/** Sandboxes that the test file takes away at its end. */
export function testSandboxes(open: (options: { folder: string }) => SandboxProvider = openBubblewrap): TestSandboxes {
  const base = mkdtempSync(path.join(os.tmpdir(), 'sandbox-test-'))
  chmodSync(base, 0o711)
  const folder = path.join(base, 'sandboxes')
  const provider = open({ folder })
  after(async () => {
    // First, for a pool makes others ready as long as it is open.
    await provider.close()
    for (const id of await provider.list()) await provider.remove(id)
    await removeTree(base)
  })
  return {
    base,
    folder,
    provider,
    firstPid: (id) => readRecords(path.join(folder, id, 'processes.json')).at(-1)!.pid,
  }
}

/** What a line of shell says inside, on both streams. */
export async function sayIn(sandbox: Sandbox, shell: string): Promise<string> {
  return (await sandbox.exec({ shell, timeoutMs: COMMAND_MS }).result).output.toString().trim()
}

/** Not for one that has ended and was not collected yet. */
export function isAlive(pid: number): boolean {
  return readProcess(pid)?.hasEnded === false
}

/** A process and all below it, as this machine numbers them. */
export function processTree(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(processTree)]
  } catch {
    return []
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string, ms = waitMsMax): Promise<void> {
  const deadline = Date.now() + ms
  for (const pauses = new Pauses(); !(await isSo()); await pauses.next())
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`)
}
