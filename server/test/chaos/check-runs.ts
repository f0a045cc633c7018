import type { Client } from './client.ts'
import type { FactOf, Journal } from './journal.ts'
import { digestOf, readLog, type LogEntry } from './read-run.ts'
import { hasEnded } from './run-board.ts'
import type { Verdicts } from './verdict.ts'
import { followUpOf, payloadsOf, type Task } from './workload.ts'

export type Ended = { task: Task; runId: number; run: Record<string, unknown>; total: number; entries: LogEntry[] }

/** Reads every accepted run with its log, once all should have ended. */
export async function readEnded(tasks: Map<string, Task>, client: Client, journal: Journal): Promise<Ended[]> {
  const accepted = new Map(journal.read('accepted').map(({ task, runId }) => [runId, task]))
  const ended: Ended[] = []
  for (const [runId, name] of accepted) {
    const { body: run } = await client.ask('GET', `/agent/run/${runId}`)
    ended.push({ task: tasks.get(name)!, runId, run, ...(await readLog(client, runId)) })
  }
  return ended
}

/** What was promised of every run, judged by what those outside have written down, and by what the API answers now. */
export function checkRuns(ended: Ended[], { journal, verdicts }: { journal: Journal; verdicts: Verdicts }): void {
  checkAccepted(ended, journal.read('accepted'), verdicts)
  const read = groupBy(journal.read('entry'), ({ runId }) => runId)
  const acted = groupBy(
    journal.read('acted').filter(({ status }) => status < 300),
    ({ runId }) => runId,
  )
  const statuses = groupBy(journal.read('status'), ({ runId }) => runId)
  for (const one of ended) {
    const acts = new Set((acted.get(one.runId) ?? []).map(({ act }) => act))
    checkEnd(one, acts, verdicts)
    checkLog(one, verdicts)
    if (one.task.agent === 'scripted') checkPayloads(one, verdicts)
    checkMessages(one, acts, verdicts)
    checkReaders(one, read.get(one.runId) ?? [], verdicts)
    checkStatuses(one, statuses.get(one.runId) ?? [], verdicts)
  }
  for (const { task, act, status } of journal.read('acted'))
    verdicts.check(
      'a stop, a pause or a follow-up is taken, or refused as too late',
      status < 300 || status === 409,
      () => `${task}: ${act} was answered with ${status}`,
    )
  const broken = journal.read('refused').filter(({ why }) => why.startsWith('500'))
  verdicts.check(
    'no request meets a fault of ours (500)',
    broken.length === 0,
    () => `${broken.length}, such as ${broken[0]?.request}: ${broken[0]?.why}`,
  )
}

/** Reads all runs a second time: nothing may have changed. */
export async function checkUnchanged(
  ended: Ended[],
  { client, verdicts }: { client: Client; verdicts: Verdicts },
): Promise<void> {
  for (const { task, runId, run, total } of ended) {
    const { body } = await client.ask('GET', `/agent/run/${runId}/logs?skip=${Math.max(0, total - 1)}&limit=2`)
    const now = [body['status'], body['total_logs'], body['result']]
    const before = [run['status'], total, run['result']]
    verdicts.check(
      'a run that has ended changes no more',
      JSON.stringify(now) === JSON.stringify(before),
      () => `${task.name}: ${JSON.stringify(before)}, later ${JSON.stringify(now)}`,
    )
  }
}

function checkAccepted(ended: Ended[], accepted: FactOf<'accepted'>[], verdicts: Verdicts): void {
  for (const [name, facts] of groupBy(accepted, ({ task }) => task)) {
    const ids = new Set(facts.map(({ runId }) => runId))
    verdicts.check(
      'requests with one key make one run',
      ids.size === 1,
      () => `${name} made runs ${[...ids].join(', ')}`,
    )
  }
  for (const { task, runId, run } of ended)
    verdicts.check(
      'every accepted run is there',
      run['id'] === runId,
      () => `${task.name}: run ${runId} is answered with ${JSON.stringify(run)}`,
    )
}

function checkEnd({ task, runId, run }: Ended, acts: Set<string>, verdicts: Verdicts): void {
  const report = () =>
    `${task.name} (run ${runId}): ${JSON.stringify({ status: run['status'], detail: run['status_detail'], error: run['error'], turn: run['turn'] })}`
  verdicts.check('every accepted run ends', hasEnded({ status: String(run['status']) }), report)
  if (acts.has('cancel'))
    verdicts.check('a run that was stopped ends as cancelled', run['status'] === 'cancelled', report)
  // A stop whose answer was lost may still have been heard.
  else if (task.act?.what !== 'cancel' || run['status'] !== 'cancelled')
    verdicts.check('every other run is completed', run['status'] === 'completed', report)
}

function checkLog({ task, entries, total }: Ended, verdicts: Verdicts): void {
  const wrong = entries.findIndex(({ seq }, index) => seq !== index + 1)
  verdicts.check(
    'log numbers are 1, 2, 3 … to total_logs',
    wrong === -1 && total === entries.length,
    () => `${task.name}: ${entries.length} entries, total_logs ${total}, first wrong at ${wrong}`,
  )
}

/** What a script's entries say: each once, in order. Only a command may come again, and says so. */
function checkPayloads({ task, run, entries }: Ended, verdicts: Verdicts): void {
  const lastTurn = run['turn'] as number
  for (let turn = 1; turn <= lastTurn; turn++) {
    const request = payloadsOf(task, turn)
    const isWhole = turn < lastTurn || run['status'] === 'completed'
    const output = entries.filter((entry) => entry.turn === turn).flatMap(payloadOf)
    const first = output.filter(
      ({ payload }, index) => output.findIndex((other) => other.payload === payload) === index,
    )
    const expected = isWhole ? request : request.slice(0, first.length)
    const wrong = expected.findIndex((payload, index) => payload !== first[index]?.payload)
    verdicts.check(
      'no entry is lost or out of order',
      wrong === -1 && first.length === expected.length,
      () =>
        `${task.name}, turn ${turn}: ${first.length} of ${expected.length}; first wrong is ${first[wrong]?.payload} for ${expected[wrong]}`,
    )
    const doubles = output.filter(
      ({ payload, isRepeated }, index) =>
        !isRepeated && output.findIndex((other) => other.payload === payload) !== index,
    )
    verdicts.check(
      'no entry comes twice but a command that says so',
      doubles.length === 0,
      () => `${task.name}, turn ${turn}: ${doubles.map(({ payload }) => payload).join(', ')}`,
    )
  }
}

function payloadOf({
  message_type,
  thought,
  tool_input,
  tool_output,
}: LogEntry): { payload: string; isRepeated: boolean }[] {
  const text = message_type === 'ACTION' ? (tool_input as { command?: string } | null)?.command : thought
  const payload = /^(?:echo )?(\d+\/\d+(?:\/\d+)?)\b/.exec(String(text))?.[1]
  return payload ? [{ payload, isRepeated: (tool_output as { repeated?: boolean } | null)?.repeated === true }] : []
}

function checkMessages({ task, run, entries }: Ended, acts: Set<string>, verdicts: Verdicts): void {
  const report = entries
    .filter(({ message_type }) => message_type === 'USER_MESSAGE')
    .map(({ observation }) => String(observation))
  const isTaken = acts.has('follow up')
  // What was never begun has no entry.
  const isBegun = entries.length > 0
  verdicts.check(
    'each message to a run is in its log once',
    report.length === (isBegun ? 1 : 0) + (isTaken ? 1 : 0) && (!isTaken || report.at(-1) === followUpOf(task)),
    () => `${task.name}: ${JSON.stringify(report)}`,
  )
  if (run['status'] !== 'completed') return
  const answers = entries.filter(({ message_type }) => message_type === 'FINAL_ANSWER')
  verdicts.check(
    'each completed turn has one answer, which is its last entry',
    answers.length === run['turn'] && entries.at(-1)?.message_type === 'FINAL_ANSWER',
    () => `${task.name}: ${answers.length} answers in ${String(run['turn'])} turns`,
  )
}

/** Whoever read along has read exactly what the log says now. */
function checkReaders({ task, entries }: Ended, read: FactOf<'entry'>[], verdicts: Verdicts): void {
  if (task.reads === 'nothing') return
  const now = entries.map((entry) => `${entry.seq} ${digestOf(entry)}`)
  const then = read.map(({ seq, digest }) => `${seq} ${digest}`)
  const wrong = now.findIndex((entry, index) => entry !== then[index])
  const promise =
    task.reads === 'stream' ? 'a stream, cut and taken up again, is the log' : 'pages read meanwhile are the log'
  verdicts.check(
    promise,
    wrong === -1 && then.length === now.length,
    () => `${task.name}: read ${then.length} of ${now.length}; first wrong: ${then[wrong]} for ${now[wrong]}`,
  )
}

function checkStatuses({ task, run }: Ended, seen: FactOf<'status'>[], verdicts: Verdicts): void {
  const ends = seen.filter(hasEnded)
  const changed = ends.find(({ turn, at }) =>
    seen.some((later) => later.at > at && later.turn === turn && !hasEnded(later)),
  )
  const kinds = new Set(ends.filter(({ turn }) => turn === run['turn']).map(({ status }) => status))
  verdicts.check(
    'a status that ends a turn stays',
    changed === undefined && kinds.size === 1 && kinds.has(String(run['status'])),
    () => `${task.name}: ${seen.map(({ status, turn }) => `${status}/${turn}`).join(' ')}`,
  )
}

export function groupBy<T, Key>(list: T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
