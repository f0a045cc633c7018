import type { WrittenText } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Markdown } from '#ui/markdown.tsx'

/** A thought or an answer while the agent writes it. */
export function LiveText({ writing: { kind, base, text } }: { writing: WrittenText }): ReactElement {
  const isAnswer = kind === 'answer'
  const words = (
    <div className="thought prose live-text">
      {/* Whoever opens the page late has missed the beginning; the entry will have it. */}
      <Markdown text={base > 0 ? `…${text}` : text} />
    </div>
  )
  return (
    <div className="entry last live trace-live" data-kind={isAnswer ? 'answer' : 'plan'} data-live={kind}>
      <div className="when" />
      <div className="spine">
        {isAnswer ? (
          <span className="mark">
            <Icon name="flag" size={14} />
          </span>
        ) : (
          <span className="mark dot live" />
        )}
      </div>
      <div className="entry-main">
        {isAnswer && (
          <div className="says">
            <b>Answer</b>
          </div>
        )}
        {words}
      </div>
    </div>
  )
}
