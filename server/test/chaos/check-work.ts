import path from 'node:path'
import { groupBy, type Ended } from './check-runs.ts'
import type { Client } from './client.ts'
import type { WatchedHost } from './code-host.ts'
import type { Journal } from './journal.ts'
import type { Verdicts } from './verdict.ts'
import { payloadsOf, taskNameOf, writtenFilesOf } from './workload.ts'

export type CheckWork = { client: Client; host: WatchedHost; journal: Journal; verdicts: Verdicts; folder: string }

/** What the runs leave outside of the service: branches, pull requests, calls of the model. */
export async function checkWork(ended: Ended[], { client, host, journal, verdicts, folder }: CheckWork): Promise<void> {
  const git = await host.clone(path.join(folder, 'clone.git'))
  const branches = await host.branches()
  const byTask = groupBy([...branches.keys()], (branch) => taskNameOf(branch))
  const moves = groupBy(journal.read('branch'), ({ branch }) => branch)
  for (const { task, run } of ended.filter(
    ({ task, run }) => task.agent === 'builtin' && run['status'] === 'completed',
  )) {
    const pulls = run['github_pull_requests'] as { head_branch_name: string }[]
    verdicts.check(
      'a run of the built-in agent opens one pull request',
      pulls.length === 1,
      () => `${task.name}: ${JSON.stringify(pulls)}`,
    )
    const own = byTask.get(task.name) ?? []
    const branch = own[0] ?? ''
    verdicts.check(
      'its work is on one branch, that of the pull request',
      own.length === 1 && pulls[0]?.head_branch_name === branch,
      () => `${task.name}: ${own.join(', ')}`,
    )
    if (own.length !== 1) continue
    const turns = run['turn'] as number
    const seen = new Set(moves.get(branch)?.map(({ commit }) => commit))
    verdicts.check(
      'its branch moves once in a turn',
      seen.size >= 1 && seen.size <= turns,
      () => `${task.name}: ${seen.size} moves in ${turns} turns`,
    )
    const request = Array.from({ length: turns }, (_, n) => writtenFilesOf(task, n + 1)).flat()
    const names = (await git('diff', '--name-only', 'main', branch)).split('\n').filter(Boolean)
    const commits = Number(await git('rev-list', '--count', `main..${branch}`))
    const isSame = JSON.stringify(names.toSorted()) === JSON.stringify(request.map((file) => file.path).toSorted())
    const contents = await Promise.all(names.map((name) => git('show', `${branch}:${name}`)))
    const isRight = isSame && contents.every((content, n) => content === `${names[n]}\n`)
    verdicts.check(
      'its branch holds what the agent wrote, a commit a turn',
      isRight && commits === turns,
      () => `${task.name}: ${commits} commits in ${turns} turns, ${names.join(', ')}`,
    )
  }
  const isToHaveLines = ({ task, run }: Ended) =>
    task.agent === 'scripted' && task.hasCommands && run['status'] === 'completed'
  for (const one of ended.filter(isToHaveLines)) await checkDiff(one, client, verdicts)
  checkModelCalls(ended, journal, verdicts)
}

/** Each command of a script has left its line, once; twice only if its entry says that it was done again. */
async function checkDiff({ task, runId, run, entries }: Ended, client: Client, verdicts: Verdicts): Promise<void> {
  const diff = await client.askText('GET', `/agent/run/${runId}/diff`)
  const lines = [...diff.matchAll(/^\+(\d+\/\d+)$/gm)].map((match) => match[1])
  const turns = Array.from({ length: run['turn'] as number }, (_, n) => n + 1)
  const request = turns.flatMap((turn) => payloadsOf(task, turn)).filter((payload) => /^\d+\/\d+$/.test(payload))
  const wrong = request.filter((line) => {
    const times = lines.filter((other) => other === line).length
    const isMarked = entries.some(
      ({ tool_input, tool_output }) =>
        (tool_input as { command?: string } | null)?.command?.startsWith(`echo ${line} `) &&
        (tool_output as { repeated?: boolean } | null)?.repeated,
    )
    return times !== 1 && !(isMarked && times > 1)
  })
  verdicts.check(
    'what commands left in the work tree is in the diff',
    wrong.length === 0 && new Set(lines).size === request.length,
    () => `${task.name}: wrong are ${wrong.join(', ')} of ${request.length}`,
  )
}

/** A call whose answer was lost is made again; no more often than something was broken while the run lived. */
function checkModelCalls(ended: Ended[], journal: Journal, verdicts: Verdicts): void {
  const calls = groupBy(journal.read('model'), ({ task }) => task)
  const faults = journal.read('fault').filter(({ fault }) => fault !== 'cut clients')
  for (const { task } of ended) {
    const made = calls.get(task.name) ?? []
    const repeated = made.length - new Set(made.map(({ turn, call }) => `${turn}/${call}`)).size
    const [from, to] = [made[0]?.at ?? 0, made.at(-1)?.at ?? 0]
    const broken = faults.filter(({ at }) => at >= from - faultEchoMs && at <= to).length
    if (made.length)
      verdicts.check(
        'a model call is repeated at most once a fault',
        repeated <= broken,
        () => `${task.name}: ${repeated} repeated, ${broken} faults`,
      )
  }
}

/** A worker that was frozen wakes after this at the latest. */
const faultEchoMs = 12_000

export function countModelCalls(journal: Journal): { made: number; repeated: number } {
  const made = journal.read('model')
  return {
    made: made.length,
    repeated: made.length - new Set(made.map(({ task, turn, call }) => `${task}/${turn}/${call}`)).size,
  }
}
