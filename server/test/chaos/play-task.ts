import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'
import { followRun, pageRun, type Reading } from './read-run.ts'
import { hasEnded, type RunBoard } from './run-board.ts'
import { bodyOf, followUpOf, type Task } from './workload.ts'

export type PlayTask = { client: Client; journal: Journal; board: RunBoard; repoId: number }

/** Creates the task's run, reads along, does to it what is planned, and sees it end. Answers the run's id. */
export async function playTask(task: Task, playing: PlayTask): Promise<number> {
  const { client, journal, board } = playing
  const runId = await create(task, playing)
  // What the run was like when it was last told to do something; null while that may still come.
  let toldAt = task.act ? null : ''
  const isOver = () => {
    const run = board.get(runId)
    return run !== undefined && toldAt !== null && run.updatedAt >= toldAt && hasEnded(run)
  }
  const read = { client, journal, runId, isOver }
  const reading = task.reads === 'stream' ? followRun(read) : task.reads === 'pages' ? pageRun(read) : undefined
  if (task.act && reading) toldAt = await act(task, { ...playing, runId, reading })
  await board.until(runId, isOver)
  await reading?.done
  return runId
}

/** The run's id; of requests with the same key, all must answer the same one: the checker sees to it. */
async function create(task: Task, { client, journal, repoId }: PlayTask): Promise<number> {
  const send = async () => {
    const { status, isReplay, body } = await client.ask('POST', '/agent/run', {
      body: bodyOf(task, repoId),
      key: task.name,
    })
    if (status !== 200) throw new Error(`${task.name} was refused: ${status} ${JSON.stringify(body)}`)
    const runId = body['id'] as number
    journal.write({ kind: 'accepted', task: task.name, runId, isReplay })
    return runId
  }
  const [runId = 0] = await Promise.all(task.sends === 'twice at once' ? [send(), send()] : [send()])
  if (task.sends === 'again later') await send()
  return runId
}

type Act = PlayTask & { runId: number; reading: Reading }

/** Answers when the run last changed by it; empty where it came too late. */
async function act(task: Task, { client, journal, board, runId, reading }: Act): Promise<string> {
  const { what, after } = task.act!
  // The built-in agent reads what it is sent on the way, and that makes no second turn.
  if (task.agent === 'builtin' && what === 'follow up') await board.until(runId, hasEnded)
  while (reading.count < after && !hasEnded(board.get(runId) ?? { status: '' })) await sleep(50)
  const send = async (name: string, route: string, body?: unknown) => {
    const answer = await client.ask('POST', route, { body, key: `${task.name} ${name}` })
    journal.write({ kind: 'acted', task: task.name, runId, act: name, status: answer.status })
    return answer.status < 300 ? String(answer.body['updated_at']) : ''
  }
  if (what === 'cancel') return send('cancel', `/agent/run/${runId}/cancel`)
  if (what === 'follow up')
    return send('follow up', '/agent/run/resume', { agent_run_id: runId, prompt: followUpOf(task) })
  if ((await send('pause', `/agent/run/${runId}/pause`)) === '') return ''
  const run = await board.until(runId, (facts) => facts.status === 'paused' || hasEnded(facts))
  if (run.status !== 'paused') return ''
  await sleep(task.paceMs)
  return send('continue', `/agent/run/${runId}/continue`)
}
