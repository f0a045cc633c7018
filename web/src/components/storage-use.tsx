import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { storageQuery } from '#base/api.ts'
import { Fault } from './fault.tsx'
import { formatBytes } from '#ui/format.ts'
import { Skeleton } from '#ui/skeleton.tsx'

const names: Record<string, string> = {
  git: 'Repositories',
  mirrors: 'Mirrored repositories',
  artifacts: 'Artifacts',
  checkpoints: 'Checkpoints',
  images: 'Images',
  logs: 'Logs',
  snapshots: 'Setup snapshots',
}

/** Storage used by the organization, by kind, and its largest repositories. */
export function StorageUse({ organizationId }: { organizationId: number }): ReactElement {
  const { data, error, isPending, refetch } = useQuery(storageQuery(organizationId))
  return (
    <section className="section" aria-labelledby="storage">
      <div className="section-head">
        <div className="grow">
          <h2 id="storage">Storage</h2>
          {data && (
            <p>
              {formatBytes(data.bytes)} of {formatBytes(data.bytes_max)} used. Limits:{' '}
              {formatBytes(data.repo_bytes_max)} per repository, {formatBytes(data.run_bytes_max)} per run,{' '}
              {formatBytes(data.log_bytes_max)} for the log of a run.
            </p>
          )}
        </div>
      </div>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={3} height={44} />}
      {data && (
        <ul className="panel list">
          {data.kinds.map(({ kind, bytes }) => (
            <Row key={kind} name={names[kind] ?? kind} bytes={bytes} max={data.bytes_max} />
          ))}
          {data.repos.slice(0, 5).map(({ repo_id: id, name, bytes }) => (
            <Row key={id} name={name} note="repository" bytes={bytes} max={data.repo_bytes_max} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ name, note, bytes, max }: { name: string; note?: string; bytes: number; max: number }): ReactElement {
  return (
    <li>
      <span className="grow truncate">
        {name}
        {note && <span className="tag">{note}</span>}
      </span>
      <meter
        min={0}
        max={Math.max(1, max)}
        high={Math.max(1, max * 0.9)}
        value={bytes}
        aria-label={`${name}, share of the limit`}
      />
      <span className="mono muted">{formatBytes(bytes)}</span>
    </li>
  )
}
