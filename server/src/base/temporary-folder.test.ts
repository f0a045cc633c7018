import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startTimeOf } from './read-process.ts'
import { openTemporaryFolder, sweepTemporaryFolders } from './temporary-folder.ts'

const parent = mkdtempSync(path.join(os.tmpdir(), 'runwright-temporary-'))
after(() => rm(parent, { recursive: true, force: true }))

test('the folders of processes that live stay, those of others go', async () => {
  const own = openTemporaryFolder(parent)
  const child = spawn('sleep', ['600'])
  const pid = child.pid ?? 0
  const [its, ofAnother] = [path.join(parent, `${pid}-${startTimeOf(pid)}`), path.join(parent, `${pid}-1`)]
  for (const folder of [its, ofAnother]) mkdirSync(path.join(folder, 'pack-1'), { recursive: true })
  await sweepTemporaryFolders(own)
  assert.deepEqual([own, its, ofAnother].map(existsSync), [true, true, false])
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  await sweepTemporaryFolders(own)
  assert.deepEqual([own, its].map(existsSync), [true, false])
})
