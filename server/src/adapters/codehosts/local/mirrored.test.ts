import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openLocalHost } from './local.ts'
import { openMirrored } from './mirrored.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-mirrored-'))
// Takes connections and says nothing, as a host behind a broken network does.
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await once(silent, 'listening')
after(async () => {
  silent.close()
  await rm(folder, { recursive: true })
})

test('whoever waits for a host that does not answer, or for another who does, may give up at once', async () => {
  const { port } = silent.address() as AddressInfo
  const store = openMirrored(openLocalHost({ folder }), {
    folder,
    openAccess: async () => ({ address: `http://127.0.0.1:${port}/x.git`, secret: 'x' }),
    dial: () => Promise.reject(new Error('no large files here')),
  })
  const repo = { organizationId: 1, path: '1/1.git' }
  const stop = new AbortController()
  const connected = once(silent, 'connection')
  const waiting = [store.mirror(repo, stop), store.mirror(repo, stop)]
  const refused = waiting.map((one) => assert.rejects(one, /no longer wanted/))
  await connected
  stop.abort(new Error('no longer wanted'))
  await Promise.all(refused)
})
