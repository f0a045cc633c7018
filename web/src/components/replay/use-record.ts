import { useEffect, useState } from 'react'
import { readRecord } from '#records/read-record.ts'
import { RecordRefused, type RunRecord } from '#records/run-record.ts'

export type OpenedRecord = { record: RunRecord | null; error: Error | null; isReading: boolean }

const nothing: OpenedRecord = { record: null, error: null, isReading: false }

/** Reads a file in this browser; none while there is none. */
export function useRecord(file: Blob | null): OpenedRecord {
  const [opened, setOpened] = useState(nothing)
  useEffect(() => {
    setOpened(file ? { ...nothing, isReading: true } : nothing)
    if (!file) return undefined
    const control = new AbortController()
    const settle = (found: Partial<OpenedRecord>) => {
      if (!control.signal.aborted) setOpened({ ...nothing, ...found })
    }
    readRecord(file, { signal: control.signal }).then(
      (record) => settle({ record }),
      (error: unknown) =>
        settle({
          error:
            error instanceof RecordRefused ? error : new RecordRefused('The file could not be read.', { cause: error }),
        }),
    )
    return () => control.abort()
  }, [file])
  return opened
}
