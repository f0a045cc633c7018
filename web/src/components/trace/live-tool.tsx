import type { Progress } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Terminal } from '#ui/terminal.tsx'

const linesShown = 5

/** The tool at work, with the end of what it has printed. */
export function LiveTool({ progress: { tool_name: tool, output } }: { progress: Progress }): ReactElement {
  const lines = output.replace(/\n$/, '').split('\n')
  return (
    <div className="entry last live trace-live" data-kind="tool">
      <div className="when" />
      <div className="spine">
        <span className="mark dot live" />
      </div>
      <div className="entry-main">
        <details className="tool" open>
          <summary onClick={(event) => event.preventDefault()}>
            <Icon name="chev" className="fold" />
            <span className="name">{tool ?? 'A tool'}</span>
            <span className="gist tone in_progress">running</span>
          </summary>
          <div className="tool-body">
            <div className="tool-io">
              <span>Output</span>
              <span className="text-ink-3">last {Math.min(lines.length, linesShown)} lines</span>
            </div>
            <Terminal text={lines.slice(-linesShown).join('\n')} label="Output so far" isLive />
          </div>
        </details>
      </div>
    </div>
  )
}
