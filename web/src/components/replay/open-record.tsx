import { Link } from '@tanstack/react-router'
import { useState, type DragEvent, type ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

/** Takes a file, chosen or dropped. */
export function OpenRecord({ onOpen }: { onOpen: (file: File) => void }): ReactElement {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onOpen(file)
  }
  return (
    <div
      className="empty record-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="download" className="art" />
      <h2>Open the record of a run</h2>
      <p>
        A record is a file such as run-7.jsonl.gz, from the tab Replay of a run or from “runwright record”. It is read
        in this browser and is not uploaded.
      </p>
      <div className="row wrap">
        <label className="btn primary record-file">
          Choose a file
          <input
            className="sr-only"
            type="file"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) onOpen(file)
              // The same file can be chosen again.
              target.value = ''
            }}
          />
        </label>
        <Link className="btn" to="/record" search={{ example: true }}>
          Open an example
        </Link>
      </div>
    </div>
  )
}
