import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded, stopEmbedded, type EmbeddedPostgres } from './embedded.ts'
import { isServerOf, readPidFile } from './embedded/find-server.ts'
import { openPool, rows } from './pool.ts'

const program = path.resolve(import.meta.dirname, '../../test/use-embedded.ts')

type User = { child: ChildProcess; ended: Promise<unknown>; untilServer(): Promise<number> }

/** A folder of its own; what a test has begun there ends with the test, the last first. */
class Scene extends AsyncDisposableStack {
  readonly folder: string
  readonly data: string

  constructor() {
    super()
    const home = mkdtempSync(path.join(os.tmpdir(), 'runwright-embedded-'))
    chmodSync(home, 0o711)
    this.folder = path.join(home, 'postgres')
    this.data = path.join(this.folder, 'data')
    this.defer(async () => {
      await stopEmbedded(this.folder)
      await rm(home, { recursive: true, force: true })
    })
  }

  get runs(): boolean {
    return isServerOf(readPidFile(this.data)?.pid ?? 0, this.data)
  }

  async start(): Promise<EmbeddedPostgres> {
    return this.adopt(await startEmbedded(this.folder), (embedded) => embedded.stop())
  }

  openPool(url: string): ReturnType<typeof openPool> {
    return this.adopt(openPool(url), (pool) => pool.end())
  }

  /** Another process that uses it. */
  startUser(): User {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, this.folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    this.defer(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const pids: number[] = []
    createInterface({ input: child.stdout }).on('line', (line) => pids.push(Number(line)))
    const untilServer = async () => {
      await until(() => pids.length > 0)
      return pids.at(-1) ?? 0
    }
    return { child, ended, untilServer }
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await condition()); await sleep(10))
    assert.ok(Date.now() < end, 'not in time')
}

async function kill(embedded: EmbeddedPostgres): Promise<void> {
  const { pid } = embedded
  process.kill(pid, 'SIGKILL')
  await until(() => embedded.pid !== pid)
}

describe('a PostgreSQL of our own that is killed', { concurrency: true }, () => {
  test('is there again with all that was committed, for who started it and for who adopted it', async () => {
    await using scene = new Scene()
    const [one, other] = await Promise.all([scene.start(), scene.start()])
    assert.notEqual(one.adopted, other.adopted)
    const pool = scene.openPool(one.url)
    await pool.query('create table kept (n int)')
    for (let n = 1; n <= 3; n++) {
      await pool.query('insert into kept values ($1)', [n])
      await kill(one)
      assert.equal((await rows(pool, 'select n from kept')).length, n)
      await until(() => other.pid === one.pid)
    }
  })

  test('is there again when the process that started it is gone too', async () => {
    await using scene = new Scene()
    const first = scene.startUser()
    const pid = await first.untilServer()
    const adopted = await scene.start()
    assert.deepEqual([adopted.pid, adopted.adopted], [pid, true])
    first.child.kill('SIGKILL')
    await first.ended
    await kill(adopted)
    assert.ok(isServerOf(adopted.pid, scene.data))
  })

  test('is found elsewhere when somebody else has taken its port', async () => {
    await using scene = new Scene()
    const embedded = await scene.start()
    const pool = scene.openPool(embedded.url)
    await pool.query('select 1')
    const { port } = readPidFile(scene.data)!
    process.kill(embedded.pid, 'SIGKILL')
    const thief = await listenAt(port)
    scene.defer(() => void thief.close())
    await until(() =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    )
    assert.notEqual(readPidFile(scene.data)!.port, port)
  })

  test('is there again though its lock names another program, as after a restart of the machine', async () => {
    await using scene = new Scene()
    const first = await startEmbedded(scene.folder)
    const lock = readFileSync(path.join(scene.data, 'postmaster.pid'), 'utf8')
    await first.stop('immediate')
    // As whom the server runs: of others PostgreSQL sees by itself that they are no server.
    const { uid } = process.getuid?.() === 0 ? ownerOf(scene.data) : { uid: undefined }
    const stranger = spawn('sleep', ['1000'], { ...(uid !== undefined && { uid }), stdio: 'ignore' })
    scene.defer(() => void stranger.kill('SIGKILL'))
    writeFileSync(path.join(scene.data, 'postmaster.pid'), lock.replace(/^\d+/, String(stranger.pid)))
    const again = await scene.start()
    assert.equal(again.adopted, false)
    assert.ok(isServerOf(again.pid, scene.data))
  })
})

describe('a PostgreSQL of our own', { concurrency: true }, () => {
  test('ends with the last of those who use it, also when they end at the same moment', async () => {
    await using scene = new Scene()
    for (let round = 0; round < 3; round++) {
      const users = [scene.startUser(), scene.startUser()]
      for (const user of users) await user.untilServer()
      assert.ok(scene.runs)
      for (const { child } of users) child.kill('SIGTERM')
      await Promise.all(users.map(({ ended }) => ended))
      assert.ok(!scene.runs, `nothing runs after round ${round}`)
    }
  })

  test('ends with a process that ends without a word', async () => {
    await using scene = new Scene()
    const user = scene.startUser()
    await user.untilServer()
    user.child.kill('SIGUSR2')
    await until(() => !scene.runs)
  })

  test('outlives users that are killed, and is ended by who has started them, but not under one that lives', async () => {
    await using scene = new Scene()
    const [killed, living] = [scene.startUser(), scene.startUser()]
    await Promise.all([killed.untilServer(), living.untilServer()])
    killed.child.kill('SIGKILL')
    await killed.ended
    await stopEmbedded(scene.folder)
    assert.ok(scene.runs)
    living.child.kill('SIGKILL')
    await living.ended
    assert.ok(scene.runs)
    await Promise.all([stopEmbedded(scene.folder), stopEmbedded(scene.folder)])
    assert.ok(!scene.runs)
    await stopEmbedded(scene.folder)
  })

  test('is not missed where none ever was', async () => {
    await using scene = new Scene()
    await stopEmbedded(scene.folder)
    assert.ok(!existsSync(scene.folder))
  })

  test('is told to end while it is being started again, and nothing stays behind', async () => {
    await using scene = new Scene()
    for (let round = 0; round < 4; round++) {
      const embedded = await startEmbedded(scene.folder)
      process.kill(embedded.pid, 'SIGKILL')
      await sleep(round * 120)
      await embedded.stop()
      assert.ok(!scene.runs)
    }
  })
})

async function listenAt(port: number): Promise<net.Server> {
  for (;;) {
    const server = net.createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
    const isMine = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isMine) return server
    await sleep(1)
  }
}

function ownerOf(data: string): { uid: number } {
  return { uid: statSync(data).uid }
}
