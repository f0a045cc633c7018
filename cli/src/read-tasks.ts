import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from './settings.ts'

export type TaskFile = { path: string; bytes: Buffer }

/** A task of a league: what is asked, where it begins, and what tells whether it is solved. */
export type Task = {
  name: string
  prompt: string
  /** The command that runs the hidden tests. */
  judge: string
  judgeSeconds: number
  timeoutMinutes: number | undefined
  maxCostUsd: number | undefined
  maxModelCalls: number | undefined
  repository: TaskFile[]
  /** Put over the work tree when it is judged, and never before. */
  hidden: TaskFile[]
}

const judgeSecondsDefault = 120

/** The tasks in a folder, each a folder of its own; with `names`, only these. Throws a `UsageError`. */
export function readTasks(folder: string, names: readonly string[]): Task[] {
  const found = listFolder(folder).filter((name) => isThere(path.join(folder, name, 'task.json')))
  const missing = names.find((name) => !found.includes(name))
  if (missing !== undefined) throw new UsageError(`There is no task "${missing}" in ${folder}.`)
  const tasks = names.length > 0 ? found.filter((name) => names.includes(name)) : found
  if (tasks.length === 0)
    throw new UsageError(`There is no task in ${folder}: a task is a folder with a task.json in it.`)
  return tasks.map((name) => readTask(path.join(folder, name), name))
}

function readTask(folder: string, name: string): Task {
  const settings = readSettings(path.join(folder, 'task.json'))
  const text = (field: string): string => {
    const value = settings[field]
    if (typeof value === 'string' && value.trim() !== '') return value
    throw new UsageError(`${name}/task.json needs a text as "${field}".`)
  }
  const count = (field: string): number | undefined => {
    const value = settings[field]
    if (value === undefined || (typeof value === 'number' && value > 0)) return value
    throw new UsageError(`"${field}" of ${name}/task.json must be a number above 0.`)
  }
  return {
    name,
    prompt: text('prompt'),
    judge: text('judge'),
    judgeSeconds: count('judge_seconds') ?? judgeSecondsDefault,
    timeoutMinutes: count('timeout_minutes'),
    maxCostUsd: count('max_cost_usd'),
    maxModelCalls: count('max_model_calls'),
    repository: readFiles(folder, 'repository', name),
    hidden: readFiles(folder, 'hidden', name),
  }
}

function readSettings(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${(error as Error).message}`)
  }
}

/** All files below a folder of a task, by their paths in it. */
function readFiles(folder: string, part: string, name: string): TaskFile[] {
  const root = path.join(folder, part)
  if (!isThere(root)) throw new UsageError(`${name} needs a folder "${part}".`)
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  if (files.length === 0) throw new UsageError(`The folder "${part}" of ${name} is empty.`)
  return files
    .map(({ parentPath, name: file }) => path.join(parentPath, file))
    .toSorted()
    .map((file) => ({ path: path.relative(root, file).split(path.sep).join('/'), bytes: readFileSync(file) }))
}

function listFolder(folder: string): string[] {
  if (!isThere(folder)) throw new UsageError(`There is no folder ${folder}.`)
  return readdirSync(folder).toSorted()
}

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined
