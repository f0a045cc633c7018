import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openStream } from '#test/open-stream.ts'
import type { Stage } from './stage.ts'

/** Something that people, programs, or a model provider get to see. */
export type Leaving = { by: string; said: string | Buffer }

export const whatModelReads = 'what the model was asked'

type Watched = Pick<Stage, 'service' | 'at' | 'model' | 'receivers' | 'repo' | 'lines'>

/** Makes a run, listens to it from its first moment on, and `gather`s all that has left by then. */
export async function gatherLeaving(
  stage: Watched,
  body: Record<string, unknown>,
): Promise<{ runId: number; gather(): Promise<Leaving[]> }> {
  const { service, at, model, receivers, lines } = stage
  const key = { 'idempotency-key': `way-${process.pid}-${Math.random()}` }
  const create = async () => {
    const answer = await service.ask('POST', `${at}/agent/run`, body, key)
    return { status: answer.status, text: await answer.text() }
  }
  const requestsBefore = model.requests.length
  const linesBefore = lines().length
  const made = await create()
  assert.equal(made.status, 200, made.text)
  const { id: runId } = JSON.parse(made.text) as { id: number }
  const stream = await openStream(`${service.url}${at}/agent/run/${runId}/logs/stream`, {
    authorization: `Bearer ${service.token}`,
  })
  const streamed: string[] = []
  const heard = (async () => {
    for (let event = await stream.next(); event; event = await stream.next()) streamed.push(JSON.stringify(event))
  })()
  return {
    runId,
    gather: async () => {
      const run = await service.untilRun(runId, () => true)
      if (run.status === 'waiting_for_user') stream.close()
      await heard
      const again = await create()
      return [
        { by: 'the answer of the creation', said: made.text },
        { by: 'the answer of the same creation, sent again', said: again.text },
        { by: 'the stream of the log', said: streamed.join('\n') },
        {
          by: whatModelReads,
          said: model.requests
            .slice(requestsBefore)
            .map(({ text }) => text)
            .join('\n'),
        },
        { by: 'what somebody received', said: Buffer.concat(receivers.received.map(({ bytes }) => bytes)) },
        { by: 'the log lines of the service', said: lines().slice(linesBefore) },
        ...(await readRun(stage, runId)),
        { by: 'the repository', said: await readRepository(stage) },
      ]
    },
  }
}

async function readRun({ service, at }: Watched, runId: number): Promise<Leaving[]> {
  const run = `${at}/agent/run/${runId}`
  const read = async (by: string, route: string) => ({ by, said: await (await service.ask('GET', route)).text() })
  const artifacts = await service.call<{ items: { name: string }[] }>('GET', `${run}/artifacts`)
  return [
    await read('the run', run),
    await read('the list of runs', `${at}/agent/runs`),
    await read('the log', `${run}/logs`),
    await read('the diff', `${run}/diff`),
    await read('the timeline', `${run}/timeline`),
    await read('the questions', `${run}/questions`),
    await read('the messages', `${run}/messages`),
    { by: 'the names of artifacts', said: JSON.stringify(artifacts) },
    ...(await Promise.all(
      artifacts.items.map(async ({ name }) => {
        const answer = await service.ask('GET', `${run}/artifacts/${encodeURIComponent(name)}`)
        return { by: `the artifact ${name}`, said: Buffer.from(await answer.arrayBuffer()) }
      }),
    )),
  ]
}

/** Every object and every name of a ref, as whoever clones it gets them. */
async function readRepository({ service, repo }: Watched): Promise<Buffer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  const address = new URL(repo.git_url)
  Object.assign(address, { username: 'ada', password: service.token })
  const ask = (...words: string[]) =>
    execFileSync('git', ['-C', folder, ...words], { maxBuffer: 1 << 28, stdio: 'pipe' })
  try {
    ask('clone', '-q', '--mirror', address.href, '.')
    return Buffer.concat([ask('for-each-ref'), ask('cat-file', '--batch', '--batch-all-objects', '--buffer')])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
