/** Processes that do not end when they are killed: they wait for a disk, are frozen, or are held by a debugger. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { recordOf, writeRecords } from '#adapters/sandboxes/process-record.ts'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'

const COMMAND_MS = 20_000
const { folder, provider, firstPid } = testSandboxes()

const freezer = '/sys/fs/cgroup/freezer'

test(
  'ends a sandbox whose processes do not end, keeps its files aside, and removes them when they have',
  {
    skip:
      (process.getuid?.() !== 0 || !existsSync(`${freezer}/cgroup.procs`)) &&
      'only root can freeze processes so that they cannot be killed',
  },
  async () => {
    const troubles: string[] = []
    const patient = openBubblewrap({ folder, onTrouble: ({ kind, id }) => troubles.push(`${kind} ${id}`) })
    const group = `${freezer}/runwright-test-${process.pid}`
    mkdirSync(group)
    const stuck = await patient.create({ id: 'stuck', limits: testLimits })
    const running = stuck.exec({ shell: 'echo kept > kept; sleep 600', timeoutMs: COMMAND_MS })
    const first = firstPid('stuck')
    await until(() => processTree(first).length >= 3, 'it is at work')
    try {
      for (const pid of processTree(first)) writeFileSync(`${group}/cgroup.procs`, String(pid))
      writeFileSync(`${group}/freezer.state`, 'FROZEN')
      await stuck.stop('enough')
      assert.deepEqual(await stuck.closed, { reason: 'enough' })
      assert.equal((await running.result).reason, 'sandbox_lost')
      assert.deepEqual(troubles, ['processes_left stuck'])
      await assert.rejects(patient.create({ id: 'stuck', limits: testLimits }), /do not end; its files were put aside/)
      const fresh = await patient.create({ id: 'stuck', limits: testLimits })
      assert.equal(await sayIn(fresh, 'ls'), '')
      await patient.list()
      assert.equal(asideFolders().length, 1)
      await patient.remove('stuck')
      assert.equal(asideFolders().length, 1)
    } finally {
      writeFileSync(`${group}/freezer.state`, 'THAWED')
    }
    await until(() => !isAlive(first), 'it is gone')
    await patient.list()
    assert.deepEqual(asideFolders(), [])
    rmdirSync(group)
  },
)

test(
  'runs no sandbox beside processes of an earlier one that it cannot end',
  { skip: process.getuid?.() === 0 && 'root can end all' },
  async () => {
    const folderOf = path.join(folder, 'foreign')
    mkdirSync(path.join(folderOf, 'workspace'), { recursive: true })
    writeRecords(path.join(folderOf, 'processes.json'), [recordOf(1)])
    await assert.rejects(provider.create({ id: 'foreign', limits: testLimits }), /do not end; its files were put aside/)
    const fresh = await provider.create({ id: 'foreign', limits: testLimits })
    await fresh.stop('done')
    await provider.remove('foreign')
    const [aside] = asideFolders()
    assert.ok(aside)
    await rm(path.join(folder, aside), { recursive: true })
  },
)

const asideFolders = () => readdirSync(folder).filter((name) => name.startsWith('.removed-'))
