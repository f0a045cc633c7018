import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import { openApp, type App } from '#app/app.ts'
import { readConfig } from '#base/config/config.ts'
import { Secret } from '#base/secrets/secret.ts'
import { acceptWorkers } from '#process/remote/accept-workers.ts'
import { Crew } from '#worker/crew/crew.ts'
import { connectMachine, type Machine, type MachineOptions } from './connect-machine.ts'
import { testDb } from './test-db.ts'

export type Accepting = {
  app: App
  db: pg.Pool
  url: string
  /** What the settings of the service say: with it a machine takes the runs of all organizations. */
  token: string
  /** Done before the service ends, which waits for those that are connected. */
  leaveAtEnd(leave: () => void): void
  leaveAll(): void
  connect(options: MachineOptions & { token: string }): Machine
}

/** A process that takes remote workers and has none beside the database; ended after the file's tests. */
export async function startAccepting(): Promise<Accepting> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'accepting-'))
  const db = await testDb()
  chmodSync(folder, 0o711)
  const env = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: folder, RUNWRIGHT_LOG_LEVEL: 'silent' }
  const app = await openApp(readConfig(env, { root: folder }))
  const token = 'what the settings of the service say'
  const accepted = await acceptWorkers(app, {
    listen: { host: '127.0.0.1', port: 0 },
    token: new Secret(token),
    workers: new Set(),
    crew: new Crew(app),
  })
  const leaving = new Set<() => void>()
  const leaveAll = () => leaving.forEach((leave) => leave())
  after(async () => {
    leaveAll()
    await accepted[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const { url } = accepted
  const leaveAtEnd = (leave: () => void) => void leaving.add(leave)
  const connect: Accepting['connect'] = (options) => {
    const machine = connectMachine(url, options)
    leaveAtEnd(machine.leave)
    return machine
  }
  return { app, db, url, token, leaveAtEnd, leaveAll, connect }
}
