import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { findGroup } from './find-group.ts'

test("a process is a container's if its command line names it, as gVisor's do, and another's if nothing does", async () => {
  const id = 'c0ffee'.repeat(10)
  const kernel = spawn('sh', ['-c', 'echo; read line', id], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(kernel.stdout, 'data')
  const found = findGroup(kernel.pid!, id)
  assert.partialDeepStrictEqual(found, { memoryBytes: undefined, processes: undefined, cpuWeight: undefined })
  assert.equal(found?.outOfMemoryKills(), 0)
  assert.equal(findGroup(kernel.pid!, id.replaceAll('c', 'd')), null)
  kernel.stdin.end()
})
