import assert from 'node:assert/strict'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOf, readPidFile } from '#db/embedded/find-server.ts'
import { listProcesses } from './list-processes.ts'
import type { RunAnswer, Service } from './service.ts'

const runs = '/v1/organizations/1/agent/run'
const dataOf = (service: Service) => path.join(service.dataDir, 'postgres/data')

/** The embedded PostgreSQL of a service; undefined when none runs. */
export function findPostgres(service: Service): number | undefined {
  const data = dataOf(service)
  const { pid = 0 } = readPidFile(data) ?? {}
  return isServerOf(pid, data) ? pid : undefined
}

/** One of its processes that serve somebody. */
export function findBackend(service: Service): number | undefined {
  const postmaster = findPostgres(service)
  const isBackend = ([title = '']: string[]) => /^postgres: runwright\S* runwright /.test(title)
  return listProcesses().find(({ parent, words }) => parent === postmaster && isBackend(words))?.pid
}

/**
 * Has people make and read runs all the while, until told to stop. Resolves with the runs that were accepted: an answer that is
 * neither good nor a 503 with Retry-After, or a service that cannot be reached, is a fault.
 */
export function useService(service: Service, stop: AbortSignal): Promise<number[]> {
  const accepted: number[] = []
  const person = async (who: number) => {
    for (let n = 0; !stop.aborted; n++) {
      const body = { prompt: `${who}/${n}`, agent_type: 'scripted', metadata: { script: [{ answer: 'Done.' }] } }
      const made = n % 5 === 0
      const answer = await service.ask(made ? 'POST' : 'GET', made ? runs : '/v1/users/me', made ? body : undefined)
      const report = (await answer.json()) as RunAnswer
      if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0)
      else assert.equal(answer.status, 200, JSON.stringify(report))
      if (made && answer.status === 200) accepted.push(report.id)
      await sleep(40)
    }
  }
  return Promise.all([1, 2, 3].map(person)).then(() => accepted)
}

/** What it says of itself may be a second old, and a process of a PostgreSQL that was killed may answer once more. */
const steadyMs = 1_500

/** Resolves when it serves, which it says of itself too, and has for a while. */
export async function untilReady(service: Service): Promise<void> {
  let since = Infinity
  for (const until = Date.now() + 60_000; Date.now() - since < steadyMs; await sleep(50)) {
    const answers = [await service.ask('GET', `${runs}s?limit=1`), await service.ask('GET', '/statusz')]
    since = answers.every(({ status }) => status === 200) ? Math.min(since, Date.now()) : Infinity
    assert.ok(Date.now() < until, service.said())
  }
}

/** A log without a hole or a double. */
export async function checkLog(service: Service, runId: number): Promise<void> {
  const numbers = (await service.log(runId)).map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
}
