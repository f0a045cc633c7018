import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactElement } from 'react'
import { changed } from '#base/search.ts'
import { OpenRecord } from '#components/replay/open-record.tsx'
import { RecordFacts } from '#components/replay/record-facts.tsx'
import { ReplayView } from '#components/replay/replay-view.tsx'
import { useRecord } from '#components/replay/use-record.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Notice } from '#ui/notice.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { switchTheme } from '#ui/theme.ts'

/** The record of a run from a file, step by step. It stays in this browser, and nobody needs to sign in for it. */
export function RecordPage(): ReactElement {
  const { example, step } = useSearch({ from: '/record' })
  const navigate = useNavigate({ from: '/record' })
  const [chosen, choose] = useState<File | null>(null)
  const { data: shipped, error: missing } = useQuery({ ...exampleQuery, enabled: example === true && chosen === null })
  const file = chosen ?? (example ? (shipped ?? null) : null)
  const { record, error, isReading } = useRecord(file)
  const isExample = record !== null && chosen === null
  useEffect(() => {
    document.title = 'Record of a run · Runwright'
  }, [])
  const open = (next: File | null) => {
    choose(next)
    if (next !== null || example)
      void navigate({ search: (before) => changed(before, { example: undefined }), replace: true })
  }
  const fault = error ?? missing
  return (
    <main className="page record" id="main">
      <div className="bar">
        <Link to="/" className="btn ghost sm square" aria-label="Your runs">
          <Icon name="back" size={14} />
        </Link>
        <h1>Record of a run</h1>
        <span className="grow" />
        {record && (
          <Button look="sm" onClick={() => open(null)}>
            Close the record
          </Button>
        )}
        <Button look="ghost sm square" onClick={switchTheme} aria-label="Change theme">
          <Icon name="moon" size={14} />
        </Button>
      </div>
      <div className="content stack">
        {fault && (
          <Notice>
            <p>{fault.message}</p>
          </Notice>
        )}
        {!record && !isReading && <OpenRecord onOpen={open} />}
        {isReading && <Skeleton rows={8} height={34} />}
        {record && <RecordFacts record={record} name={chosen?.name ?? null} isExample={isExample} />}
        {record && (
          <ReplayView
            record={record}
            named={step}
            isOpened
            onStep={(n) => void navigate({ search: (before) => changed(before, { step: n }), replace: true })}
          />
        )}
      </div>
    </main>
  )
}

/** It is one of the files of the web UI. */
const exampleQuery = {
  queryKey: ['example record'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Blob> => {
    const response = await fetch('/example.record', { signal })
    if (!response.ok) throw new Error('The example could not be loaded. Try again in a moment.')
    return response.blob()
  },
  staleTime: Infinity,
}
