import type { AgentRun } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactElement } from 'react'
import { client, messagesQuery, putRun } from '#base/api.ts'
import type { Log } from '#log/use-log.ts'
import { Button } from '#ui/button.tsx'
import { formatDollars } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useDraft } from '#ui/use-draft.ts'
import { Fault } from '#components/fault.tsx'
import { hasEnded } from '#base/status.ts'

type Props = { run: AgentRun; log: Log; onStop: () => void; onSent: () => void }

/** Talks to a run: a working agent reads the message before its next step; otherwise the message starts the next turn. */
export function MessageComposer({ run, log, onStop, onSent }: Props): ReactElement {
  const [text, setText, dropText] = useDraft(`message ${run.organization_id}/${run.id}`)
  const send = useSend(run, log, (sent) => {
    dropText(sent)
    onSent()
  })
  const isAtWork = run.status === 'in_progress' || run.status === 'queued'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !send.isPending) send.mutate(text)
  }
  const left =
    run.max_cost_usd === null || run.usage.cost_usd === null ? null : Math.max(0, run.max_cost_usd - run.usage.cost_usd)
  return (
    <>
      <Queued run={run} onTakenBack={(prompt) => setText(text.trim() ? `${prompt}\n\n${text}` : prompt)} />
      {send.error && <Fault error={send.error} />}
      <form className="composer" onSubmit={submit}>
        <label className="sr-only" htmlFor="message">
          Message to the agent
        </label>
        <textarea
          id="message"
          rows={1}
          placeholder={
            isAtWork ? 'Message the agent. It reads this before its next step.' : 'What should the agent do next?'
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') event.currentTarget.form?.requestSubmit()
          }}
        />
        <div className="composer-bar">
          {left !== null && <span className="faint small budget-left">{formatDollars(left)} left</span>}
          <span className="end" />
          {!hasEnded(run.status) && (
            <Button look="ghost sm" className="only-phone" onClick={onStop}>
              <Icon name="stop" size={14} />
              Stop
            </Button>
          )}
          <Button type="submit" look="primary sm" isBusy={send.isPending} disabled={!text.trim()}>
            {isAtWork ? 'Send' : 'Follow up'} <Kbd className="hide-phone">Ctrl ↵</Kbd>
          </Button>
        </div>
      </form>
    </>
  )
}

function useSend({ organization_id: organizationId, id, status }: AgentRun, log: Log, onSent: (sent: string) => void) {
  const queries = useQueryClient()
  const key = ['run', organizationId, id]
  return useMutation({
    mutationFn: async (prompt: string) => {
      if (status === 'in_progress' || status === 'queued')
        return void (await client.messages.createMessage({ org_id: organizationId, agent_run_id: id, prompt }))
      putRun(queries, await client.runs.resumeRun({ org_id: organizationId, agent_run_id: id, prompt }))
    },
    onSuccess: (_, sent) => {
      onSent(sent)
      log.wake()
      void queries.invalidateQueries({ queryKey: [...key, 'messages'] })
    },
  })
}

/** Messages that the agent has not read yet. Until then they can be withdrawn. */
function Queued({ run, onTakenBack }: { run: AgentRun; onTakenBack: (text: string) => void }): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const queries = useQueryClient()
  const { data } = useQuery({
    ...messagesQuery(ids),
    enabled: !hasEnded(run.status),
    refetchInterval: hasEnded(run.status) ? false : 3_000,
  })
  const takeBack = useMutation({
    mutationFn: ({ n }: { n: number; prompt: string }) =>
      client.messages.revokeMessage({ org_id: ids.organizationId, agent_run_id: ids.runId, n }),
    onSuccess: (_, { prompt }) => onTakenBack(prompt),
    onSettled: () => queries.invalidateQueries({ queryKey: messagesQuery(ids).queryKey }),
  })
  const waiting = hasEnded(run.status) ? [] : (data ?? []).filter(({ taken_seq: taken }) => taken === null)
  return (
    <>
      {waiting.map((message) => (
        <div key={message.n} className="queued-msg">
          <span className="grow truncate">Sent, not read yet: {message.prompt}</span>
          <Button look="ghost sm" isBusy={takeBack.isPending} onClick={() => takeBack.mutate(message)}>
            Withdraw
          </Button>
        </div>
      ))}
    </>
  )
}
