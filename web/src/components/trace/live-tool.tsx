import type { LiveTool as Running, Progress } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { argumentOf } from '#log/entry-facts.ts'
import { Elapsed } from '#ui/elapsed.tsx'
import { Icon } from '#ui/icon.tsx'
import { Terminal } from '#ui/terminal.tsx'

const linesShown = 5

/** The tool that is running: its command, how long it has run, and the end of what it has printed. */
export function LiveTool({ tool, progress }: { tool: Running | null; progress: Progress | null }): ReactElement {
  const lines = (progress?.output ?? '').replace(/\n$/, '').split('\n')
  const argument = tool ? argumentOf(tool.tool_input) : ''
  return (
    <div className="entry last live trace-live" data-kind="tool" data-step={tool?.step}>
      <div className="when" />
      <div className="spine">
        <span className="mark dot live" />
      </div>
      <div className="entry-main">
        <details className="tool" open={progress !== null}>
          <summary onClick={(event) => event.preventDefault()}>
            <Icon name="chev" className="fold" />
            <span className="name">{tool?.tool_name ?? progress?.tool_name ?? 'Tool'}</span>
            <span className="arg" title={argument}>
              {argument}
            </span>
            <span className="gist tone in_progress">running</span>
            {tool && (
              <span className="dur">
                <Elapsed from={Date.parse(tool.started_at)} to={null} form="words" />
              </span>
            )}
          </summary>
          {progress && (
            <div className="tool-body">
              <div className="tool-io">
                <span>Output</span>
                {lines.length > linesShown && <span className="faint">last {linesShown} lines</span>}
              </div>
              <Terminal text={lines.slice(-linesShown).join('\n')} label="Output so far" isLive />
            </div>
          )}
        </details>
      </div>
    </div>
  )
}
