import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState, useSyncExternalStore, type ReactElement } from 'react'
import { meQuery } from '#api.ts'
import { readRunsSearch, type RunsSearch } from '#search.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { TextField } from '#ui/text-field.tsx'

type View = { name: string; search: RunsSearch }

const viewsMax = 20
const listeners = new Set<() => void>()
let read: { key: string; text: string; views: View[] } | undefined

/** A person's own lists of runs, kept in this browser. */
function useViews(organizationId: number): [View[], (views: View[]) => void] {
  const { data: me } = useQuery(meQuery())
  const key = `views of ${organizationId}/${me?.id ?? ''}`
  const views = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => viewsOf(key),
  )
  const save = (views: View[]) => {
    localStorage.setItem(key, JSON.stringify(views.slice(-viewsMax)))
    for (const listener of listeners) listener()
  }
  return [views, save]
}

function viewsOf(key: string): View[] {
  const text = localStorage.getItem(key) ?? '[]'
  if (read?.key !== key || read.text !== text) {
    const views = (JSON.parse(text) as View[]).map(({ name, search }) => ({
      name,
      search: readRunsSearch(search),
    }))
    read = { key, text, views }
  }
  return read.views
}

const isSame = (one: RunsSearch, other: RunsSearch) => {
  const sorted = (search: RunsSearch) => JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(one) === sorted(other)
}

/** As further tabs of the list. */
export function SavedViews({ organizationId }: { organizationId: number }): ReactElement {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const [views] = useViews(organizationId)
  return (
    <>
      {views.map((view) => (
        <Link
          key={view.name}
          to="/runs/$organizationId"
          params={{ organizationId }}
          search={view.search}
          aria-current={isSame(view.search, search) ? 'page' : undefined}
        >
          {view.name}
        </Link>
      ))}
    </>
  )
}

/** Saves what is shown under a name, or forgets it again. */
export function SaveView({ organizationId, name: suggested }: { organizationId: number; name: string }): ReactElement {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const [views, save] = useViews(organizationId)
  const [name, setName] = useState<string | null>(null)
  const saved = views.find((view) => isSame(view.search, search))
  if (saved) {
    return (
      <Button look="ghost sm" onClick={() => save(views.filter((view) => view !== saved))}>
        Delete view
      </Button>
    )
  }
  const submit = () => {
    if (!name?.trim()) return
    save([...views.filter((view) => view.name !== name.trim()), { name: name.trim(), search }])
    setName(null)
  }
  return (
    <>
      <Button look="ghost sm" onClick={() => setName(suggested.slice(0, 40))}>
        <Icon name="plus" size={12} />
        Save view
      </Button>
      {name !== null && (
        <FormDialog
          title="Save view"
          action="Save"
          isReady={name.trim() !== ''}
          onSubmit={submit}
          onClose={() => setName(null)}
        >
          <TextField
            label="Name"
            hint="Shown as a tab above the list, in this browser."
            value={name}
            onChange={setName}
          />
        </FormDialog>
      )}
    </>
  )
}
