import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import type { Viewed } from './use-viewed.ts'

type Props = { files: DiffFile[]; viewed: Viewed; idOf: (n: number) => string }

/** The changed files by folder; each leads to its change. */
export function FileTree({ files, viewed, idOf }: Props): ReactElement {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  return (
    <nav className="file-tree" aria-label="Changed files">
      {[...folders].map(([folder, inside]) => (
        <div key={folder}>
          {folder && (
            <p className="folder" title={folder}>
              {folder}
            </p>
          )}
          <ul>
            {inside.map((file) => (
              <li key={file.path}>
                <button type="button" title={file.path} onClick={() => show(idOf(files.indexOf(file)))}>
                  <span className="truncate">{file.path.slice(folder.length)}</span>
                  {viewed.has(file) && (
                    <>
                      <Icon name="check" size={12} />
                      <span className="sr-only">viewed</span>
                    </>
                  )}
                  <span className="stat end">
                    <span className="p">+{file.added}</span> <span className="m">−{file.removed}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function show(id: string): void {
  const file = document.getElementById(id)
  file?.scrollIntoView({ block: 'start' })
  file?.querySelector<HTMLElement>('.file-fold')?.focus({ preventScroll: true })
}
