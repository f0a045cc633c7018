import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRun, Client } from '@runwright/sdk'
import type { Scenario } from './scenarios.ts'

const ORGANIZATION = 1
const POLL_MS = 50

/** Plays it in a repository of its own, and answers the record of the run. */
export async function recordScenario(client: Client, { prompt, more, answers = [] }: Scenario): Promise<Uint8Array> {
  const name = `receipts-${prompt.split(' ', 1)[0]!.toLowerCase()}`
  const repo = await client.repositories.createRepo({ org_id: ORGANIZATION, name, import_from: 'example' })
  const made = await client.runs.createRun({
    org_id: ORGANIZATION,
    prompt,
    repo_id: repo.id,
    agent_type: 'builtin',
    ...more,
  })
  const ids = { org_id: ORGANIZATION, agent_run_id: made.id }
  const waiting = [...answers]
  for (;;) {
    const run = await client.runs.getRun(ids)
    if (run.status === 'waiting_for_user') await answerNext(client, ids, waiting)
    if (['completed', 'failed', 'cancelled'].includes(run.status)) {
      requireCompleted(run)
      return client.runs.getRunRecord(ids)
    }
    await sleep(POLL_MS)
  }
}

type Ids = { org_id: number; agent_run_id: number }

async function answerNext(client: Client, ids: Ids, waiting: string[]): Promise<void> {
  const { items } = await client.questions.listQuestions({ ...ids, limit: 100 })
  const open = items.find((question) => question.answer === null)
  if (!open) return
  const answer = waiting.shift()
  if (answer === undefined) throw new Error(`The scenario has no answer to: ${open.text}`)
  await client.questions.answerQuestion({ ...ids, n: open.n, answer })
}

function requireCompleted({ status, error, title }: AgentRun): void {
  if (status !== 'completed') throw new Error(`The run “${title}” is ${status}: ${JSON.stringify(error)}`)
}
