import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Markdown } from '#ui/markdown.tsx'
import { JsonText } from '#ui/json-text.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'

export function AnswerCard({ entry: { observation, thought } }: { entry: AgentRunLog }): ReactElement {
  return (
    <div className="card answer">
      <header>
        <StatusGlyph status="completed" isSilent />
        <span className="kind">Answer</span>
      </header>
      <div className="in prose">
        {thought && <Markdown text={thought} />}
        {typeof observation === 'string' ? (
          <Markdown text={observation} />
        ) : (
          <JsonText value={observation} label="Answer" />
        )}
      </div>
    </div>
  )
}
