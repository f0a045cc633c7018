/** The process that looks at what sandboxes use, and what becomes of looks when it does not answer. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { processTree } from '#test/test-sandboxes.ts'
import { openMeter } from './meter.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'meter-test-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(path.join(folder, 'file'), Buffer.alloc(1 << 20))

const disk = { folder, reader: [] }
const wants = { memory: true, openFiles: true, deleted: true }
const processes = { firstPid: process.pid, openFilesMax: 10_000, wants }

test('says what a folder and a tree of processes use', async () => {
  const { diskBytes, memoryBytes, openFiles } = await openMeter().look({ disk, processes })
  assert.ok(diskBytes >= 1 << 20 && diskBytes < 2 << 20, `${diskBytes}`)
  assert.ok(memoryBytes > 10 << 20 && openFiles > 3)
})

test('cannot say what a folder uses that is not there', async () => {
  await assert.rejects(openMeter().look({ disk: { folder: '/no/such/folder', reader: [] } }), /cannot be counted/)
})

test('cannot say what is in a folder that may not be read', async () => {
  const reader = ['bash', '-c', 'echo "1 x"; echo "du: cannot read directory: Permission denied" >&2', 'bash']
  await assert.rejects(openMeter().look({ disk: { folder, reader } }), /cannot be read/)
})

test('answers again when it was killed', async () => {
  const meter = openMeter()
  await meter.look({ disk })
  const own = processTree(process.pid).filter((pid) => commandOf(pid).includes('meter-process'))
  const slow = meter.look({ disk: { folder, reader: ['bash', '-c', 'sleep 600', 'bash'] } })
  slow.catch(() => {})
  for (const pid of own) process.kill(pid, 'SIGKILL')
  await assert.rejects(slow, /has ended/)
  assert.ok((await meter.look({ disk })).diskBytes >= 1 << 20)
})

test('is replaced when it does not answer', async () => {
  const mute = path.join(folder, 'mute.mjs')
  writeFileSync(mute, 'setInterval(() => {}, 1e6); process.on("message", () => {})')
  const meter = openMeter({ program: pathToFileURL(mute), silentTicksMax: 1 })
  const asked = meter.look({ disk })
  const timer = setInterval(() => {}, 1_000)
  await assert.rejects(asked, /has ended/)
  clearInterval(timer)
})

const commandOf = (pid: number) => execFileSync('ps', ['-o', 'args=', '-p', String(pid)]).toString()
