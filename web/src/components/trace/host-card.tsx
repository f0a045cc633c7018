import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { factsOf } from '#log/entry-facts.ts'
import { textOf } from '#log/text-of.ts'
import { JsonText } from '#ui/json-text.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { PageLink } from '#ui/page-link.tsx'

/** What happened on the code host: a pull request, its checks, a review. */
export function HostCard({ entry }: { entry: AgentRunLog }): ReactElement {
  const { observation, message_type: type } = entry
  const details = typeof observation === 'object' && observation !== null ? observation : {}
  const text = (name: string) => textOf(details[name])
  const number = details['number']
  const words = text('summary') || text('body')
  return (
    <div className="card">
      <header>
        <span className="kind">{factsOf(entry).title}</span>
        {type === 'INITIAL_PR_GENERATION' && (
          <PageLink href={text('url')}>
            #{textOf(number)} {text('title')}
          </PageLink>
        )}
        {text('verdict') && <span className="tag">{text('verdict')}</span>}
      </header>
      {words && (
        <div className="in prose">
          <Markdown text={words} />
        </div>
      )}
      {Array.isArray(details['checks']) && <Checks checks={details['checks'] as unknown[]} />}
      {typeof observation === 'string' && (
        <div className="in prose">
          <Markdown text={observation} />
        </div>
      )}
      {!words && type !== 'INITIAL_PR_GENERATION' && !details['checks'] && typeof observation !== 'string' && (
        <JsonText value={observation} label={type} />
      )}
      {type === 'INITIAL_PR_GENERATION' && (
        <footer>
          <span className="mono">
            {text('head_branch')} → {text('base_branch')}
          </span>
        </footer>
      )}
    </div>
  )
}

function Checks({ checks }: { checks: unknown[] }): ReactElement {
  return (
    <ul className="checks">
      {checks.map((check, n) => {
        const { name, conclusion, excerpt } = (typeof check === 'object' && check !== null ? check : {}) as Record<
          string,
          unknown
        >
        return (
          <li key={n}>
            <b>{textOf(name ?? check)}</b>
            <span className="faint">{textOf(conclusion)}</span>
            {typeof excerpt === 'string' && <span className="faint truncate">{excerpt}</span>}
          </li>
        )
      })}
    </ul>
  )
}
