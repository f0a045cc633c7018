import { readFileSync } from 'node:fs'
import path from 'node:path'
import { styleText } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { AgentRun } from '@runwright/sdk'

const example = path.resolve(import.meta.dirname, '../../web/public/example.record')

export type ShowResult = {
  run: AgentRun
  diff: string
  url: string
  token: string
  organizationId: number
  repoId: number
  prompt: string
}

/** Prints how a run ended, what it changed, where to see it, and how to do the same by hand. */
export function showResult({ run, diff, url, token, organizationId, repoId, prompt }: ShowResult): void {
  const isDone = run.status === 'completed'
  section(
    isDone ? styleText('green', 'Result') : styleText('red', `The run is ${run.status}`),
    run.result ?? run.error?.message ?? '',
  )
  if (diff) section('Diff', diff.trimEnd().split('\n').map(colour).join('\n'))
  const [pull] = run.github_pull_requests
  if (pull) section('Pull request', `#${pull.number} ${pull.title}\n${pull.url}`)
  section('Watch it', `${run.web_url}\nSign in with this token: ${token}`)
  section(
    'The same by hand',
    `curl -X POST ${url}/v1/organizations/${organizationId}/agent/run \\
  -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ prompt, repo_id: repoId })}'`,
  )
  section(
    'The built-in agent, without a key',
    `${url}/record?example=true\nA recording of ${recordedOn(example)}, step by step. Its agent, tools and sandbox were real; a scripted model server answered.`,
  )
  process.stdout.write('\n')
}

/** The day that stands in the head of a record. */
function recordedOn(file: string): string {
  const [head = ''] = gunzipSync(readFileSync(file)).toString().split('\n', 1)
  return (JSON.parse(head) as { recorded_at: string }).recorded_at.slice(0, 10)
}

function section(title: string, text: string): void {
  process.stdout.write(`\n${styleText('bold', title)}\n${text}\n`)
}

function colour(line: string): string {
  if (/^(\+\+\+|---|diff|index)/.test(line)) return styleText('bold', line)
  if (line.startsWith('+')) return styleText('green', line)
  if (line.startsWith('-')) return styleText('red', line)
  return line.startsWith('@@') ? styleText('cyan', line) : line
}
