import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { AgentTask, Files } from './agent-task.ts'
import { labelOf, modelName, type AllWires } from './model-parts.ts'
import type { ScriptedAnswer } from './model-wires.ts'
import type { LogAnswer, RunAnswer } from './service.ts'

export type Played = { run: RunAnswer; log: LogAnswer[]; pull: Pull | null; text: string; gitUrl: string }
type Pull = { title: string; body: string; state: string; head_branch_name?: string }
type Playing = Pick<AgentTask, 'wire' | 'files' | 'prompt' | 'checkCommands' | 'meanwhile'> & {
  name: string
  model: string
  answers: ScriptedAnswer[]
}
/** Plays one run from its repository to its pull request. */
export async function playTask({ service, at, play }: AllWires, playing: Playing): Promise<Played> {
  const { name, wire, model, answers, checkCommands = [], meanwhile } = playing
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
    name,
    import_from: await packRepository(playing.files),
  })
  await service.call('PATCH', `${at}/repos/${repo.id}`, { labels: [labelOf(wire)], check_commands: checkCommands })
  const url = new URL(repo.git_url)
  Object.assign(url, { username: 'ada', password: service.token })
  const reply = async (_: unknown, number: number) => {
    if (meanwhile?.answer === number) await pushToMain(url.href, meanwhile.files)
    return answers[number - 1] ?? { status: 400, message: `There is no answer ${number} of ${model}.` }
  }
  play(model, { wire, reply })
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: playing.prompt,
    repo_id: repo.id,
    model: modelName(wire, model),
  })
  const run = await service.untilEnded(made.id)
  const { items } = await service.call<{ items: Pull[] }>('GET', `${at}/prs?run_id=${made.id}`)
  const pull = items[0] ?? null
  return {
    run,
    log: await service.log(made.id),
    pull,
    text: `${run.result ?? ''}\n${pull?.body ?? ''}`,
    gitUrl: url.href,
  }
}

/** What a task that was done right has to show, and its hidden tests. */
export async function judgeTask(
  task: AgentTask,
  { run, log, pull, gitUrl }: Played,
  output: () => string,
): Promise<void> {
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + output())
  const ending = task.answers.at(-1)?.calls?.[0]?.input as { title: string; checks: { step: string }[] }
  assert.equal(pull?.title, ending.title)
  for (const expression of task.says) assert.match(pull.body, expression)
  assert.deepEqual(
    log.filter(({ message_type }) => message_type === 'ERROR'),
    [],
  )
  const acted = log.filter(({ message_type, tool_name }) => message_type === 'ACTION' && tool_name !== 'verify')
  const calls = task.answers
    .flatMap((answer) => answer.calls ?? [])
    .filter(({ name }) => !['finish', 'plan'].includes(name))
  assert.deepEqual(
    acted.map(({ tool_name }) => tool_name),
    calls.map(({ name }) => name),
  )
  const failed = acted.filter(
    ({ tool_name, tool_output }) => !['shell', 'session'].includes(tool_name ?? '') && tool_output?.['error'],
  )
  assert.deepEqual(failed, [])
  assert.deepEqual(
    ending.checks.map(({ step }) => exitCodeOf(task, acted, step)),
    task.exitCodes,
  )
  task.log?.(log)

  const clone = await mkdtemp(path.join(os.tmpdir(), 'runwright-clone-'))
  try {
    await runGit('/', 'clone', '-q', '-b', run.branch ?? '', gitUrl, clone)
    const changed = (await runGit(clone, 'diff', '--numstat', '-M', 'origin/main...HEAD')).trimEnd().split('\n')
    const expected = Object.entries(task.changed).map(([file, lines]) => `${lines.replace(' ', '\t')}\t${file}`)
    assert.deepEqual(changed.toSorted(), expected.toSorted())
    await task.hidden(clone)
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}

/** Of a step named `t1-3.2`: the second call of the third answer. */
function exitCodeOf(task: AgentTask, acted: LogAnswer[], step: string): unknown {
  const [, answer, call] = /^t1-(\d+)\.(\d+)$/.exec(step) ?? []
  const logged = (calls: ScriptedAnswer['calls'] = []) => calls.filter(({ name }) => name !== 'plan').length
  const earlier = task.answers.slice(0, Number(answer) - 1).reduce((sum, { calls }) => sum + logged(calls), 0)
  return acted[earlier + Number(call) - 1]?.tool_output?.['exit_code']
}

/** A lie is refused, or what is true stands beside it. */
export function judgeLie({ title, lie }: AgentTask, { run, text }: Played): void {
  const shown = `${title}: ${lie.title}: ${JSON.stringify(run.error)} ${text}`
  assert.equal(run.error?.code ?? null, lie.ends, shown)
  assert.equal(run.status, lie.ends === null ? 'completed' : 'failed', shown)
  for (const expression of lie.says ?? []) assert.match(text, expression, shown)
  if (lie.never) assert.doesNotMatch(text, lie.never, shown)
}

/** A bare repository with these files in one commit: made by one process, however many they are. */
async function packRepository(files: Files): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'runwright-repository-'))
  await runGit(folder, 'init', '-q', '--bare', '-b', 'main')
  const data = (bytes: string | Buffer) => [`data ${Buffer.byteLength(bytes)}\n`, bytes, '\n']
  const stream = [
    'commit refs/heads/main\ncommitter Ada <ada@example.com> 1767225600 +0000\n',
    ...data('Begin'),
    ...Object.entries(files).flatMap(([name, bytes]) => [`M 100644 inline ${name}\n`, ...data(bytes)]),
  ]
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet'], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(Buffer.concat(stream.map((part) => Buffer.from(part))))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  return folder
}

async function pushToMain(url: string, files: Record<string, string>): Promise<void> {
  const clone = await mkdtemp(path.join(os.tmpdir(), 'runwright-clone-'))
  await runGit('/', 'clone', '-q', url, clone)
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(clone, name), text)
  await runGit(clone, 'commit', '-q', '-a', '-m', 'Move on')
  await runGit(clone, 'push', '-q')
  await rm(clone, { recursive: true, force: true })
}

/** Beside everything else that this process does: it is the model too. */
async function runGit(folder: string, ...words: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  return (await promisify(execFile)('git', ['-C', folder, ...identity, ...words])).stdout
}
