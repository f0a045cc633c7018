import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, stopProcess } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-key-'))
chmodSync(dataDir, 0o711)
const started: ChildProcess[] = []
// They write there until they have ended.
after(async () => {
  await Promise.all(started.map(stopProcess))
  await rm(dataDir, { recursive: true, force: true })
})
const [old, young] = ['the key of all processes'.padEnd(40, '.'), 'the key that takes its place'.padEnd(40, '.')]
const operator = `admin-token-of-a-test-${'0'.repeat(20)}`
const shared = {
  DATABASE_URL: db.url,
  RUNWRIGHT_DATA_DIR: dataDir,
  RUNWRIGHT_ADMIN_TOKEN: operator,
  RUNWRIGHT_SECRET_KEY: old,
  RUNWRIGHT_DRAIN_SECONDS: '0',
}

type Process = { url: string; stop(): Promise<void> }

async function begin(word: string, keys: Record<string, string>): Promise<Process> {
  const { child, ready } = startProcess(word, { env: { ...shared, ...keys }, onSaid: () => {} })
  started.push(child)
  return { url: / at (http\S+),/.exec(await ready)?.[1] ?? '', stop: () => stopProcess(child) }
}

const machines: Process[] = []
/** One process after the other, as an operator does it who has two. */
async function giveKeys(keys: Record<string, string>, between = async () => {}): Promise<void> {
  for (const n of [0, 1]) {
    const before = machines[n]
    const isServing = machines.length > 1
    if (isServing) serving = machines.filter((each) => each !== before)
    await before?.stop()
    machines[n] = await begin('api', keys)
    if (machines.length > 1) serving = [...machines]
    if (n === 0 && isServing) await between()
  }
}

let serving: Process[] = []
type Sent = { method: 'POST' | 'PUT'; body: object }
const send = (url: string, route: string, headers: Record<string, string>, sent?: Sent) =>
  fetch(url + route, {
    ...(sent && { method: sent.method, body: JSON.stringify(sent.body) }),
    headers: { ...headers, ...(sent && { 'content-type': 'application/json' }) },
  })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function makeToken({ url }: Process, name: string): Promise<string> {
  const answer = await send(url, '/v1/organizations/1/tokens', bearer(operator), {
    method: 'POST',
    body: { name },
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { token: string }).token
}

async function signIn({ url }: Process, token: string): Promise<string> {
  const answer = await send(url, '/v1/session', { origin: url }, { method: 'POST', body: { token } })
  assert.equal(answer.status, 201)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Saves a secret of the organization, which needs its data key. */
async function saveSecret({ url }: Process, name: string): Promise<void> {
  const sent: Sent = { method: 'PUT', body: { value: 'a value of its own' } }
  const answer = await send(url, `/v1/organizations/1/secrets/${name}`, bearer(operator), sent)
  assert.ok(answer.ok, await answer.text())
}

/** Sends requests as each of them to each process, again and again; answers in the end how often each status came. */
function watchOwners(known: Record<string, string>[]) {
  const answers = new Map<number | string, number>()
  const ending = new AbortController()
  const work = async () => {
    for (let n = 0; !ending.signal.aborted; n++) {
      for (const headers of known) {
        const machine = serving[n % serving.length] as Process
        const status = await send(machine.url, '/v1/users/me', headers).then(
          (answer) => answer.status,
          // Whoever is told to end takes nothing new: a balancer sends it elsewhere.
          (error: Error) => (serving.includes(machine) ? error.message : 'elsewhere'),
        )
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
      // Longer than a process takes a token for good that it has just seen.
      await sleep(1_100 / serving.length)
    }
    answers.delete('elsewhere')
    return answers
  }
  const working = work()
  return {
    end: () => {
      ending.abort()
      return working
    },
  }
}

test(
  'the secret key is changed process by process, and nobody who works meanwhile is refused',
  { timeout: 240_000 },
  async () => {
    await giveKeys({})
    const [one, other] = machines as [Process, Process]
    const [used, unused] = [await makeToken(one, 'used'), await makeToken(one, 'unused')]
    await saveSecret(one, 'FIRST')
    const known: Record<string, string>[] = [
      bearer(operator),
      bearer(used),
      { cookie: await signIn(one, used) },
      { cookie: await signIn(other, operator) },
    ]
    const watch = watchOwners(known)
    await giveKeys({ RUNWRIGHT_SECRET_KEY_NEXT: young })
    await giveKeys({ RUNWRIGHT_SECRET_KEY: young, RUNWRIGHT_SECRET_KEY_PREVIOUS: old }, async () => {
      for (const [n, machine] of machines.entries()) {
        known.push(bearer(await makeToken(machine, `between ${n}`)))
        known.push({ cookie: await signIn(machine, used) })
        await saveSecret(machine, `BETWEEN_${n}`)
      }
      await sleep(3_000)
    })
    await sleep(3_000)
    await giveKeys({ RUNWRIGHT_SECRET_KEY: young })
    await sleep(3_000)

    const answers = await watch.end()
    assert.deepEqual([...answers.keys()], [200])
    assert.ok((answers.get(200) ?? 0) > 100)
    for (const machine of machines) {
      await saveSecret(machine, 'LAST')
      assert.equal((await send(machine.url, '/v1/users/me', bearer(unused))).status, 401)
    }
    await assert.rejects(begin('api', {}), /RUNWRIGHT_SECRET_KEY/)
  },
)
