import { styleText } from 'node:util'
import type { AgentRunLog, Client } from '@runwright/sdk'

const textCharactersMax = 100
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Prints a run's log line by line as it grows; on a terminal with a line below that says what goes on, and for how long. */
export async function followRun(
  client: Client,
  { organizationId, runId }: { organizationId: number; runId: number },
): Promise<void> {
  const progress = showProgress()
  try {
    for await (const entry of client.runs.followLog(
      { org_id: organizationId, agent_run_id: runId },
      { onStatus: progress.update },
    ))
      progress.print(lineOf(entry))
  } finally {
    progress.stop()
  }
}

function lineOf(entry: AgentRunLog): string {
  const number = styleText('dim', String(entry.seq).padStart(4))
  const title = entry.tool_name
    ? `${entry.message_type} ${styleText('bold', entry.tool_name)}`
    : styleText('bold', entry.message_type)
  const text =
    typeof entry.observation === 'string'
      ? entry.observation
      : ((entry.observation?.['url'] as string | undefined) ?? '')
  const first = (entry.thought ?? text).split('\n').find((line) => line.trim()) ?? ''
  const cut = first.length > textCharactersMax ? `${first.slice(0, textCharactersMax - 1)}…` : first
  return `${number}  ${title}  ${styleText('dim', cut)}`
}

function showProgress() {
  const begun = Date.now()
  let status = 'queued'
  let frame = 0
  const update = (run: { status: string; status_detail?: string | null }) =>
    void (status = [run.status, run.status_detail].filter(Boolean).join(' · '))
  if (!process.stdout.isTTY)
    return { update, print: (line: string) => void process.stdout.write(`${line}\n`), stop: () => {} }
  const clear = () => process.stdout.write('\r\u001b[2K')
  const generate = () => {
    clear()
    const seconds = ((Date.now() - begun) / 1_000).toFixed(1)
    process.stdout.write(`${styleText('cyan', frames[frame++ % frames.length] ?? '')} ${status} · ${seconds} s`)
  }
  const drawing = setInterval(generate, 80)
  return {
    update,
    print: (line: string) => {
      clear()
      process.stdout.write(`${line}\n`)
    },
    stop: () => {
      clearInterval(drawing)
      clear()
    },
  }
}
