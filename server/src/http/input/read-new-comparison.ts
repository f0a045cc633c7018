import type { Static } from 'typebox'
import { AppError } from '#base/errors.ts'
import { comparisonLimits } from '#base/comparison-limits.ts'
import type { JudgeFile, Judge } from '#domain/hosts/comparisons/comparison.ts'
import type { CreateComparison } from '#domain/hosts/comparisons/create-comparison.ts'
import { inFolder } from '#domain/repos/in-folder.ts'
import { whyNotPath } from '#domain/repos/work-paths.ts'
import { askHost } from '#http/input/ask-host.ts'
import type { Caller } from '#http/pipeline/caller.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import type { NewComparison } from '#http/schemas/comparison.ts'
import { readEnvironment } from './read-environment.ts'
import { readRun } from './read-run.ts'

type Body = Static<typeof NewComparison>
type ReadNewComparison = {
  app: Pick<HttpApp, 'engines' | 'hosts'>
  db: HttpDb
  organizationId: number
  caller: Caller
  body: Body
}

/** A comparison as it is wanted, checked as far as it can be without making it. */
export async function readNewComparison(options: ReadNewComparison): Promise<CreateComparison> {
  const { organizationId, caller, body } = options
  const judgeFiles = readJudgeFiles(body)
  const { judges, baseCommit } = await readJudges(options)
  if (body.repo_id == null && (judges.length > 0 || judgeFiles.length > 0))
    throw invalid('judges', 'need a repository: a run without one has no commit to judge')
  return {
    organizationId,
    userId: caller.userId,
    repoId: body.repo_id ?? null,
    title: body.title ?? null,
    prompt: body.prompt,
    baseBranch: body.base_branch ?? null,
    baseCommit,
    judges,
    judgeFiles,
    contestants: await readContestants(options),
  }
}

async function readContestants(options: ReadNewComparison): Promise<CreateComparison['contestants']> {
  const { body } = options
  const expanded = body.contestants.flatMap(expand)
  const { contestantsMin, contestantsMax } = comparisonLimits
  if (expanded.length < contestantsMin || expanded.length > contestantsMax)
    throw invalid('contestants', `must make ${contestantsMin} to ${contestantsMax} runs, not ${expanded.length}`)
  const { prompt: shared, contestants: _, judges: _judges, judge_files: _files, ...common } = body
  return Promise.all(
    expanded.map(async ({ name, model, suffix, contestant }) => {
      const { name: _name, models: _models, count: _count, prompt, ...own } = contestant
      const run = await readRun({ ...options, body: { ...common, ...own, model, prompt: prompt ?? shared } })
      const described = name ?? [run.agentType, model, run.effort].filter(Boolean).join(' ')
      return { name: `${described}${suffix}`, run }
    }),
  )
}

type NewContestant = Body['contestants'][number]
type Expanded = { name: string | null; model: string | null; suffix: string; contestant: NewContestant }

/** One for each of its models, as often as it says. */
function expand(contestant: NewContestant): Expanded[] {
  const { models, name = null, count } = contestant
  const times = count ?? 1
  return (models ?? [contestant.model ?? null]).flatMap((model) =>
    Array.from({ length: times }, (_, index) => ({
      name: name !== null && models ? `${name} ${model}` : name,
      model,
      suffix: times > 1 ? ` #${index + 1}` : '',
      contestant,
    })),
  )
}

/** The judges, and where the base branch is if it was looked at for them. */
async function readJudges({
  app,
  db,
  organizationId,
  body,
}: ReadNewComparison): Promise<Pick<CreateComparison, 'judges' | 'baseCommit'>> {
  const { repo_id: repoId, base_branch: baseBranch = null } = body
  if (body.judges) return { judges: body.judges.map(readJudge).map(requireOwnName), baseCommit: null }
  if (repoId == null) return { judges: [], baseCommit: null }
  const { checks, baseCommit } = await askHost('branch_not_found', () =>
    readEnvironment(app, db, { organizationId, repoId, baseBranch }),
  )
  const judges = checks.map(({ name, command, path }) => ({
    name,
    command: path === undefined ? command : inFolder(path, command),
    timeLimitMs: null,
  }))
  return { judges, baseCommit }
}

function readJudge(
  { name, command, timeout_seconds: seconds }: NonNullable<Body['judges']>[number],
  index: number,
): Judge {
  return { name: name ?? `judge ${index + 1}`, command, timeLimitMs: seconds == null ? null : seconds * 1_000 }
}

function requireOwnName(judge: Judge, index: number, judges: Judge[]): Judge {
  if (judges.findIndex(({ name }) => name === judge.name) === index) return judge
  throw invalid('judges', `have the name "${judge.name}" twice`)
}

function readJudgeFiles(body: Body): JudgeFile[] {
  const files = (body.judge_files ?? []).map(({ path, content }) => {
    const why = whyNotPath(path)
    if (why !== null) throw invalid('judge_files', `have the path "${path}", which ${why}`)
    const bytes = Buffer.from(content, 'base64')
    if (bytes.toString('base64') !== content)
      throw invalid('judge_files', `have content of "${path}" that is not base64`)
    return { path, bytes }
  })
  for (const { path } of files)
    if (files.some((other) => other.path.startsWith(`${path}/`)))
      throw invalid('judge_files', `have "${path}" as a file and as a folder`)
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > comparisonLimits.judgeFilesBytesMax)
    throw invalid('judge_files', `are ${total} bytes together, and may be ${comparisonLimits.judgeFilesBytesMax}`)
  return files
}

function invalid(field: string, msg: string): AppError {
  const detail = [{ loc: ['body', field], msg, type: 'value_error' }]
  return new AppError('invalid_request', { message: `${field} ${msg}.`, detail })
}
