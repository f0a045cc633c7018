import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, rows } from '#db/pool.ts'
import { findPrevious } from '#test/find-previous.ts'
import { startProcess, stopProcess, type LogAnswer, type RunAnswer } from '#test/service.ts'
import { makeDatabase } from '#test/test-db.ts'

const runs = '/v1/organizations/1/agent/run'
const token = `admin-token-of-a-test-${'0'.repeat(20)}`
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const steps = 8
const people = 3

type Process = { url: string; stop(): Promise<void> }

/** Machines of which each runs one process, of either version. */
class Cluster {
  readonly apis: Process[] = []
  readonly #workers: Process[] = []
  readonly #env: Record<string, string>
  readonly #started: ChildProcess[] = []

  constructor(env: Record<string, string>) {
    this.#env = env
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map(stopProcess))
  }

  async #begin(word: 'api' | 'worker', folder: string | undefined): Promise<Process> {
    const { child, ready } = startProcess(word, {
      env: { ...this.#env, RUNWRIGHT_DRAIN_SECONDS: '1' },
      onSaid: () => {},
      ...(folder === undefined ? {} : { folder }),
    })
    this.#started.push(child)
    return { url: / at (http\S+),/.exec(await ready)?.[1] ?? '', stop: () => stopProcess(child) }
  }

  /** Puts a process of this version in the place of each, one after the other, and first one beside them. */
  async roll(folder?: string): Promise<void> {
    for (const [word, list] of [
      ['api', this.apis],
      ['worker', this.#workers],
    ] as const) {
      const before = list.length
      for (let n = 0; n < Math.max(before, 2); n++) {
        list.push(await this.#begin(word, folder))
        const leaving = before ? list.shift() : undefined
        await leaving?.stop()
      }
    }
  }

  /** From whichever process answers, as by a balancer. */
  async ask<T>(method: string, route: string, body?: object): Promise<T> {
    for (let tries = 0; ; tries++) {
      const { url } = this.apis[tries % this.apis.length] as Process
      const sent = fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const answer = await sent.catch((error: Error) => error)
      if (answer instanceof Error || answer.status === 503) {
        assert.ok(tries < 20, answer instanceof Error ? answer.message : `${answer.status}`)
        await sleep(50)
        continue
      }
      const text = await answer.text()
      assert.equal(answer.status, 200, `${method} ${route}: ${text}`)
      return JSON.parse(text) as T
    }
  }
}

/** Starts runs all the while, and reads them; answers in the end with all that were accepted. */
function useCluster(cluster: Cluster): { end(): Promise<number[]> } {
  const ending = new AbortController()
  const accepted: number[] = []
  const script = [{ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps }, { answer: 'Counted.' }]
  const person = async () => {
    while (!ending.signal.aborted) {
      const made = await cluster.ask<RunAnswer>('POST', runs, {
        prompt: 'Count',
        agent_type: 'scripted',
        metadata: { script },
      })
      accepted.push(made.id)
      for (let n = 0; n < 20; n++) {
        await cluster.ask('GET', `${runs}/${made.id}`)
        await sleep(100)
      }
    }
  }
  const working = Promise.all(Array.from({ length: people }, person))
  return {
    end: async () => {
      ending.abort()
      await working
      return accepted
    },
  }
}

async function checkRun(cluster: Cluster, id: number): Promise<void> {
  let run = await cluster.ask<RunAnswer>('GET', `${runs}/${id}`)
  for (const end = Date.now() + 120_000; run.status !== 'completed'; await sleep(100)) {
    assert.ok(Date.now() < end && run.status !== 'failed', JSON.stringify(run))
    run = await cluster.ask<RunAnswer>('GET', `${runs}/${id}`)
  }
  assert.equal(run.result, 'Counted.')
  const { logs } = await cluster.ask<{ logs: LogAnswer[] }>('GET', `${runs}/${id}/logs?limit=100`)
  assert.deepEqual(
    logs.map(({ seq }) => seq),
    logs.map((_, n) => n + 1),
  )
  const commands = logs.filter((entry) => entry.message_type === 'ACTION').map((entry) => entry.tool_input?.['command'])
  assert.deepEqual(
    commands.map((command) => Number(/step (\d+)/.exec(String(command))?.[1])),
    Array.from({ length: steps }, (_, n) => n + 1),
  )
}

test('from the previous version to this one and back, under load, nothing is lost', { timeout: 480_000 }, async (t) => {
  const previous = await findPrevious()
  if (!previous) return t.skip('there is no history of the migrations here, as in a shallow clone')
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-upgrade-'))
  chmodSync(dataDir, 0o711)
  // What is deferred last ends first: who asks, then the processes, and what they write to at the end.
  await using stack = new AsyncDisposableStack()
  stack.defer(async () => {
    for (const folder of [dataDir, previous.folder]) await rm(folder, { recursive: true, force: true })
  })
  // Empty, as the first start finds it.
  const { url: databaseUrl, drop } = await makeDatabase({ isEmpty: true })
  const db = openPool(databaseUrl, { connectionsMax: 1 })
  stack.defer(async () => {
    await db.end()
    await drop()
  })
  const migrations = async () => (await rows(db, 'select name from migrations')).length
  const env = { DATABASE_URL: databaseUrl, RUNWRIGHT_DATA_DIR: dataDir, RUNWRIGHT_ADMIN_TOKEN: token }
  const cluster = stack.use(new Cluster({ ...env, RUNWRIGHT_SECRET_KEY: 'the key of all processes'.padEnd(40, '.') }))

  await cluster.roll(previous.folder)
  const before = await migrations()
  const use = useCluster(cluster)
  stack.defer(async () => void (await use.end().catch(() => {})))
  await sleep(2_000)
  await cluster.roll()
  assert.ok((await migrations()) > before)
  await sleep(2_000)
  await cluster.roll(previous.folder)
  await sleep(2_000)
  const accepted = await use.end()
  t.diagnostic(`${previous.commit.slice(0, 12)}, ${accepted.length} runs`)
  assert.ok(accepted.length >= 20)
  for (const id of accepted) await checkRun(cluster, id)
})
