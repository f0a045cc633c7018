import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactElement } from 'react'
import { client, integrationsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { Icon } from '#ui/icon.tsx'
import { LinkedText } from '#ui/linked-text.tsx'

type Props = { organizationId: number; code: string; state: string }

/** GitHub has created the App and redirected back: its code is exchanged, once, for the keys of the App. */
export function FinishApp({ organizationId, code, state }: Props): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/organizations/$organizationId/repos' })
  const { data: hosts } = useQuery(integrationsQuery(organizationId))
  const isBegun = useRef(false)
  const finish = useMutation({
    mutationFn: () =>
      client.organizations.finishAppForm({ org_id: organizationId, form_code: code, form_state: state }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: integrationsQuery(organizationId).queryKey })
      // The code has been used: the address that stays behind is the page's own.
      await navigate({ search: {}, replace: true })
    },
  })
  const { mutate } = finish
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    mutate()
  }, [mutate])
  const made = hosts?.find(({ id }) => id === finish.data?.id) ?? finish.data
  if (finish.error) return <Fault error={finish.error} />
  return (
    <div className="notice completed" style={{ marginBlockEnd: 16 }} role="status">
      <Icon name="check" size={14} />
      {!made && <p>GitHub created the App. Fetching its keys…</p>}
      {made && !made.problem && <p>GitHub App created and installed.</p>}
      {made?.problem && (
        <p>
          {/* The first answer names where to install it; later ones may not. */}
          GitHub App created. <LinkedText text={finish.data?.problem ?? made.problem} /> Its repositories will then be
          listed here.
        </p>
      )}
    </div>
  )
}
