import type { AgentRunLog } from '@runwright/sdk'
import { useMemo, type ReactElement } from 'react'
import { factsOf } from '#log/entry-facts.ts'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { DiffTable } from '#ui/diff-table.tsx'
import { Found } from '#ui/found.tsx'
import { formatDuration } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { JsonText } from '#ui/json-text.tsx'
import { readDiff, type DiffFile } from '#ui/read-diff.ts'
import { Terminal } from '#ui/terminal.tsx'

/** A longer duration is emphasized. */
const longMs = 20_000

type Props = { entry: AgentRunLog; isOpen: boolean; onFold: (seq: number, isOpen: boolean) => void }

/** What a tool was called with and what came of it: one line, with the rest folded below. */
export function ToolCall({ entry, isOpen, onFold }: Props): ReactElement {
  const { argument, gist, exitCode, diff } = factsOf(entry)
  const files = useMemo(() => (diff ? readDiff(diff) : []), [diff])
  const stat = diff ? statOf(files) : null
  return (
    <details className="tool" open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault()
          onFold(entry.seq, !isOpen)
        }}
      >
        <Icon name="chev" className="fold" />
        <span className="name">
          <Found text={entry.tool_name ?? ''} />
        </span>
        <span className="arg">
          <Found text={argument} />
        </span>
        {gist && <span className="gist">{gist}</span>}
        {stat && (
          <span className="stat">
            <span className="p">+{stat.added}</span> <span className="m">−{stat.removed}</span>
          </span>
        )}
        {exitCode !== null && (
          <span className={`exit ${exitCode === 0 ? 'ok' : 'bad'}`}>
            <Icon name={exitCode === 0 ? 'check' : 'x'} size={12} />
            exit {exitCode}
          </span>
        )}
        {entry.duration_ms !== null && (
          <span className={`dur ${entry.duration_ms > longMs ? 'long' : ''}`}>{formatDuration(entry.duration_ms)}</span>
        )}
      </summary>
      {isOpen && (
        <div className="tool-body">
          {files.map((file) => (
            <DiffTable key={file.path} hunks={file.hunks} label={file.path || argument} />
          ))}
          {!diff && <Input entry={entry} />}
          {!diff && <Output entry={entry} />}
        </div>
      )}
    </details>
  )
}

function statOf(files: readonly DiffFile[]): { added: number; removed: number } {
  return {
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  }
}

/** A command of one line is in the line above already. */
function Input({ entry: { tool_input: input } }: { entry: AgentRunLog }): ReactElement | null {
  if (!input) return null
  const { command } = input
  if (typeof command === 'string') {
    if (!command.includes('\n') && command.length <= 100) return null
    return (
      <>
        <div className="tool-io">
          <span>Command</span>
        </div>
        <Terminal text={command} label="Command" />
      </>
    )
  }
  if (Object.keys(input).length === 1 && typeof Object.values(input)[0] === 'string' && isShort(input)) return null
  return (
    <>
      <div className="tool-io">
        <span>Input</span>
      </div>
      <JsonText value={input} label="Input" />
    </>
  )
}

const isShort = (input: Record<string, unknown>) => String(Object.values(input)[0]).length <= 100

function Output({ entry }: { entry: AgentRunLog }): ReactElement | null {
  const { tool_output: output, observation } = entry
  const text = textOf(entry)
  if (text === null && !output) return null
  const artifact = output?.['artifact']
  return (
    <>
      <div className="tool-io">
        <span>Output</span>
        {typeof artifact === 'string' && <span className="faint">full output in {artifact}</span>}
        <Button
          look="ghost sm end"
          onClick={() => void copyText(text ?? JSON.stringify(output ?? observation, null, 2), 'Output copied')}
        >
          <Icon name="copy" size={12} />
          Copy
        </Button>
      </div>
      {text === null ? (
        <JsonText value={output} label="Output" />
      ) : (
        <Terminal text={text || '(no output)'} label="Output" />
      )}
    </>
  )
}

/** What it printed, or what the agent was told about it. */
function textOf({ tool_output: output, observation }: AgentRunLog): string | null {
  const printed = output?.['output'] ?? output?.['stdout'] ?? output?.['content'] ?? output?.['value']
  if (typeof printed === 'string') return printed
  return typeof observation === 'string' ? observation : null
}
