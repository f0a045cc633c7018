import type { AgentRunLog } from '@runwright/sdk'
import { useState, type ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Dialog } from '#ui/dialog.tsx'
import { formatDuration, formatExactly } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { JsonText } from '#ui/json-text.tsx'

/** One entry, exactly. */
export function EntryFacts({ entry }: { entry: AgentRunLog }): ReactElement {
  const [isRaw, setRaw] = useState(false)
  const { seq, turn, message_type: type, tool_name: tool, created_at: at, duration_ms: ms } = entry
  const link = () => copyText(`${location.href.split('#')[0]}#s${seq}`, 'Link copied')
  return (
    <section aria-labelledby="about-entry">
      <h2 id="about-entry">
        Entry #{seq} <span className="end" />
        <Button
          look="ghost sm square"
          aria-label={`Copy link to entry ${seq}`}
          title="Copy link"
          onClick={() => void link()}
        >
          <Icon name="link" size={12} />
        </Button>
        <Button
          look="ghost sm square"
          aria-label={`Show entry ${seq} as JSON`}
          title="As JSON"
          onClick={() => setRaw(true)}
        >
          <Icon name="terminal" size={12} />
        </Button>
      </h2>
      <dl className="kv">
        <dt>Type</dt>
        <dd>
          <code className="mono">{type}</code>
          {tool && ` · ${tool}`}
        </dd>
        <dt>Written</dt>
        <dd className="num">
          <time dateTime={at}>{formatExactly(at)}</time>
        </dd>
        {ms !== null && (
          <>
            <dt>Took</dt>
            <dd className="num">{formatDuration(ms)}</dd>
          </>
        )}
        <dt>Turn</dt>
        <dd>{turn}</dd>
      </dl>
      {isRaw && (
        <Dialog
          title={`Entry #${seq}`}
          className="dialog wide"
          onClose={() => setRaw(false)}
          footer={<Button onClick={() => setRaw(false)}>Close</Button>}
        >
          <JsonText value={entry} label={`Entry ${seq} as JSON`} />
        </Dialog>
      )}
    </section>
  )
}
