import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { defaultParseSearch, defaultStringifySearch, Link, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { readRunsSearch, type RunsSearch } from '#base/search.ts'
import { FormDialog } from '#components/form-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { TextField } from '#ui/text-field.tsx'

const viewsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['views', organizationId],
    queryFn: async () => {
      const { items } = await client.inbox.listViews({ org_id: organizationId })
      return items.map(({ id, name, query }) => ({ id, name, search: readRunsSearch(defaultParseSearch(query)) }))
    },
    staleTime: 60_000,
  })

const isSame = (one: RunsSearch, other: RunsSearch) => {
  const sorted = (search: RunsSearch) => JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(one) === sorted(other)
}

/** As further tabs of the list. */
export function SavedViews({ organizationId }: { organizationId: number }): ReactElement {
  const search = useSearch({ from: '/shell/runs/$organizationId' })
  const { data: views } = useQuery(viewsQuery(organizationId))
  return (
    <>
      {views?.map((view) => (
        <Link
          key={view.id}
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
  const queries = useQueryClient()
  const { data: views } = useQuery(viewsQuery(organizationId))
  const [name, setName] = useState<string | null>(null)
  const onSuccess = () => {
    setName(null)
    return queries.invalidateQueries(viewsQuery(organizationId))
  }
  const save = useMutation({
    mutationFn: (name: string) =>
      client.inbox.saveView({ org_id: organizationId, name, query: defaultStringifySearch(search).replace(/^\?/, '') }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: number) => client.inbox.removeView({ org_id: organizationId, view_id: id }),
    onSuccess,
  })
  const saved = views?.find((view) => isSame(view.search, search))
  if (saved) {
    return (
      <Button look="ghost sm" disabled={remove.isPending} onClick={() => remove.mutate(saved.id)}>
        Delete view
      </Button>
    )
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
          mutation={save}
          onSubmit={() => save.mutate((name ?? '').trim())}
          onClose={() => setName(null)}
        >
          <TextField label="Name" hint="Shown as a tab above your list of runs." value={name} onChange={setName} />
        </FormDialog>
      )}
    </>
  )
}
