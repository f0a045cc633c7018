import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client, workerTokensQuery } from '#base/api.ts'
import { expiryOf, ExpiryChoice } from '#components/expiry-choice.tsx'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'

type Props = { organizationId: number; onMade: (token: string) => void; onClose: () => void }

export function MakeWorkerTokenDialog({ organizationId, onMade, onClose }: Props): ReactElement {
  const [name, setName] = useState('')
  const [labels, setLabels] = useState('')
  const [days, setDays] = useState(0)
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () =>
      client.workers.createWorkerToken({
        org_id: organizationId,
        name: name.trim(),
        ...(labels.trim() && { labels: labels.split(/[\s,]+/).filter(Boolean) }),
        ...expiryOf(days),
      }),
    onSuccess: ({ token }) => {
      void queries.invalidateQueries({ queryKey: workerTokensQuery(organizationId).queryKey })
      if (token) onMade(token)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Create a worker token"
      action="Create token"
      isReady={name.trim() !== ''}
      mutation={make}
      onSubmit={make.mutate}
      onClose={onClose}
    >
      <TextField label="Name" hint="The machine or group of machines." value={name} onChange={setName} />
      <TextField
        label="Labels"
        hint="Labels that these workers may have, with commas between them. Leave empty for any."
        value={labels}
        onChange={setLabels}
      />
      <ExpiryChoice days={days} onChoose={setDays} />
      <p className="faint small">
        Then start the worker there with RUNWRIGHT_SERVICE_URL={location.origin} and RUNWRIGHT_WORKER_TOKEN set:{' '}
        <code>npm start -- remote-worker</code>
      </p>
    </FormDialog>
  )
}
