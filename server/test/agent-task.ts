import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { JsonObject } from '#base/json.ts'
import type { ScriptedAnswer, ScriptedCall, Wire } from './model-wires.ts'

export type Files = Record<string, string | Buffer>

/**
 * One task for the built-in agent, with what a strong model answered to it, and tests of the result that neither the agent nor
 * its repository knows. A further task is a further file in `stories/tasks`.
 */
export type AgentTask = {
  /** As it goes on after "the agent …". */
  title: string
  wire: Wire
  /** By whose name tools are offered, such as `apply_patch` to a model of OpenAI. */
  model?: string
  /** In one commit on `main`. */
  files: Files
  /** The repository's own checks. */
  checkCommands?: { name: string; command: string; path?: string }[]
  prompt: string
  answers: ScriptedAnswer[]
  /** Pushed to the base branch by somebody else before the answer of this number, counted from 1. */
  meanwhile?: { answer: number; files: Record<string, string> }
  /** Every file that the pull request changes, as `git diff --numstat -M` says it: lines added and removed. */
  changed: Record<string, string>
  /** What the pull request says below its title. */
  says: RegExp[]
  /** Exit codes of the steps that the agent named as checks. */
  exitCodes: number[]
  /** Throws where a clone of the pushed branch is not as it has to be. */
  hidden: (clone: string) => Promise<unknown>
  /** What must hold of the log besides. */
  log?: (entries: { tool_name: string | null; tool_output: Record<string, unknown> | null }[]) => void
  lie: Lie
}

/** The same task, ended by a claim that is not true. */
export type Lie = {
  title: string
  answers: ScriptedAnswer[]
  /** The code of the error that it ends with; null: the claim is there, and beside it what is true. */
  ends: string | null
  /** The result and the pull request. */
  says?: RegExp[]
  never?: RegExp
}

/** What a model says in one answer. */
export function answer(reasoning: string, ...calls: ScriptedCall[]): ScriptedAnswer {
  return { reasoning, calls }
}

export const call = (name: string, input: JsonObject): ScriptedCall => ({ name, input })
export const shell = (command: string, more: JsonObject = {}) => call('shell', { command, ...more })
export const read = (file: string) => call('read', { path: file })
export const edit = (file: string, old_text: string, new_text: string) =>
  call('edit', { path: file, old_text, new_text })
export const write = (file: string, content: string) => call('write', { path: file, content })
export const patch = (...lines: string[]) =>
  call('apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })

type Ending = { title: string; summary: string; steps?: string[]; commands?: string[]; open?: string[] }

/** The end, with the steps that checked the work. */
export function finish({ title, summary, steps = [], commands = [], open }: Ending): ScriptedAnswer {
  const checks = [
    ...steps.map((step) => ({ step, passed: true })),
    ...commands.map((command) => ({ command, passed: true })),
  ]
  return { calls: [call('finish', { title, summary, checks, ...(open && { open }) })] }
}

/** Says the same again, as often as somebody may be refused. */
export const insist = (ending: ScriptedAnswer): ScriptedAnswer[] => Array.from({ length: 8 }, () => ending)

/** Puts tests into a clone and runs them there; rejects with what they printed. */
export async function runHidden(clone: string, files: Record<string, string>, ...command: string[]): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(clone, name)), { recursive: true })
    await writeFile(path.join(clone, name), text)
  }
  const error = await attempt(clone, command)
  assert.equal(error, null, `hidden tests failed:\n${error?.message ?? ''}`)
}

/** Null where it passes. */
export async function attempt(folder: string, [program = '', ...words]: string[]): Promise<Error | null> {
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' }
  try {
    await promisify(execFile)(program, words, { cwd: folder, env, timeout: 60_000 })
    return null
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    return new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`)
  }
}
