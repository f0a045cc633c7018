import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import { Button } from '#ui/button.tsx'
import { formatCount } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { JsonText } from '#ui/json-text.tsx'
import { saveFile } from '#ui/save-file.ts'

/** The run as the API has it; its log, which may be long, as a file. */
export function RawJson({ run, log }: { run: AgentRun; log: Log }): ReactElement {
  return (
    <div className="pane">
      <div className="row wrap">
        <span className="faint small">The API’s response</span>
        <Button
          look="sm end"
          disabled={!log.length}
          onClick={() => saveFile(`run-${run.id}-log.json`, JSON.stringify(log.entries, null, 2))}
        >
          <Icon name="download" size={14} />
          Log, {formatCount(log.length)} entries
        </Button>
      </div>
      <div className="tool-body">
        <JsonText value={run} label="The run as JSON" />
      </div>
    </div>
  )
}
