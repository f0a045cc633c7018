import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { RepoIds } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { environmentQuery, type RepoEnvironment } from './queries.ts'
import { Section } from './section.tsx'

/** What `.runwright.yml` of the base branch says, and each of its faults with its line. */
export function RunwrightYmlSection({ ids }: { ids: RepoIds }): ReactElement {
  const { data, error, isPending, refetch } = useQuery(environmentQuery(ids))
  return (
    <Section
      id="file"
      title=".runwright.yml"
      about="Read from the default branch. What it names takes precedence over the settings here; a file with errors is ignored."
    >
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={4} height={44} />}
      {data === null && <p className="muted">This repository has no commits yet.</p>}
      {data && data.problems.length > 0 && (
        <div className="panel" role="group" aria-label="Errors">
          <header>
            <h3>
              {data.problems.length} {data.problems.length === 1 ? 'error' : 'errors'}
            </h3>
          </header>
          <ul className="list">
            {data.problems.map(({ line, message }, n) => (
              <li key={n}>
                <span className="tone failed">
                  <Icon name="error" size={14} />
                </span>
                <span className="num faint">Line {line}</span>
                <span className="grow">{message}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {data && <InEffect environment={data} />}
    </Section>
  )
}

/** The file and the settings together, as the next run is prepared. */
function InEffect({ environment }: { environment: RepoEnvironment }): ReactElement {
  const { commit, setup, checks, push, egress } = environment
  const limits = push && [
    push.max_files === null ? null : `${push.max_files} files`,
    push.max_bytes === null ? null : `${push.max_bytes} bytes`,
  ]
  return (
    <div className="panel setting-panel">
      <header>
        <h3 className="grow">In effect for the next run</h3>
        {commit && <code className="mono faint small">{commit.slice(0, 7)}</code>}
      </header>
      <dl className="kv setup-note">
        <dt>Setup</dt>
        <dd>{setup.length ? <Lines lines={setup} /> : 'None'}</dd>
        <dt>Checks</dt>
        <dd>{checks.length ? <Lines lines={checks.map(({ name, command }) => `${name}: ${command}`)} /> : 'None'}</dd>
        <dt>Hosts it asks for</dt>
        <dd>{[...egress.presets, ...egress.allow].join(', ') || 'None'}</dd>
        <dt>Needs a person</dt>
        <dd>{push?.needs_person.length ? <Lines lines={push.needs_person} /> : 'No paths'}</dd>
        {limits?.some(Boolean) && (
          <>
            <dt>Largest push</dt>
            <dd>{limits.filter(Boolean).join(', ')}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Lines({ lines }: { lines: string[] }): ReactElement {
  return (
    <>
      {lines.map((line, n) => (
        <code key={n} className="mono line">
          {line}
        </code>
      ))}
    </>
  )
}
