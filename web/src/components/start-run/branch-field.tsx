import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { branchesQuery } from '#base/api.ts'
import { Combobox } from '#ui/combobox.tsx'

type Props = {
  organizationId: number
  repoId: number
  label: string
  hint: string
  value: string
  /** The default branch is no answer. */
  isNotDefault?: boolean
  isOff: boolean
  onChange: (value: string) => void
}

/** A branch of a repository, found by typing. */
export function BranchField({ organizationId, repoId, isNotDefault = false, ...field }: Props): ReactElement {
  const [words, setWords] = useState('')
  const first = useQuery(branchesQuery(organizationId, repoId, ''))
  // Where all of them are here, nobody is asked again.
  const areAll = first.data !== undefined && first.data.total <= first.data.items.length
  const found = useQuery({ ...branchesQuery(organizationId, repoId, words), enabled: !areAll && words !== '' })
  const { data, error, isPending } = areAll || words === '' ? first : found
  const searched = words.toLowerCase()
  const choices = (data?.items ?? [])
    .filter(({ name, is_default: isDefault }) => name.toLowerCase().includes(searched) && !(isNotDefault && isDefault))
    .map(({ name, is_default: isDefault }) => ({ value: name, note: isDefault ? 'default' : undefined }))
  const left = data ? data.total - data.items.length : 0
  return (
    <Combobox
      {...field}
      choices={choices}
      remark={remarkOf({ error, isPending, count: choices.length, left })}
      onSearch={setWords}
    />
  )
}

type Found = { error: Error | null; isPending: boolean; count: number; left: number }

function remarkOf({ error, isPending, count, left }: Found): string | undefined {
  if (error) return `The branches could not be read: ${error.message}`
  if (isPending) return 'Loading branches…'
  if (left > 0) return `${left} more. Type to narrow the list.`
  return count ? undefined : 'No matching branch.'
}
