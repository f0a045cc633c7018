import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement, type ReactNode } from 'react'
import { client, modelsQuery, reposQuery, type RunIds } from '#base/api.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { AddRepoDialog } from '#components/add-repo-dialog.tsx'
import { Fault } from '#components/fault.tsx'
import { InviteDialog } from '#components/invite-dialog.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const examplePrompt = 'Make the failing test pass'

/** What it takes until agents work here, each step with what does it. */
export function FirstSteps({ organizationId }: { organizationId: number }): ReactElement | null {
  const steps = useFirstSteps(organizationId)
  const [open, setOpen] = useState<'repo' | 'invite' | null>(null)
  const { data: models } = useQuery(modelsQuery(organizationId))
  const example = useExample(organizationId)
  if (!steps) return null
  const model = models?.find(({ available }) => available)
  return (
    <>
      <ol className="panel list first-steps" aria-label="Get started">
        <Step
          isDone={steps.model}
          title={model ? `Model: ${model.name}` : 'Add a model'}
          text={
            model
              ? `Found through ${model.provider}.`
              : 'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL for the server and restart it. Without a model, the built-in repair engine still fixes failing tests.'
          }
        />
        <Step
          isDone={steps.repo}
          title="Add a repository"
          text="Your own, or the example: a small project with a failing test."
        >
          <Button look="sm" isBusy={example.isPending} onClick={() => example.mutate()}>
            Try the example
          </Button>
          <Button look="sm" onClick={() => setOpen('repo')}>
            Add a repository
          </Button>
        </Step>
        <Step isDone={steps.run} title="Start your first run" text="Describe a task and watch the agent work.">
          <Link className="btn sm" to="/runs/$organizationId" params={{ organizationId }} hash="start">
            Start a run
          </Link>
        </Step>
        <Step
          isDone={steps.host}
          title="Connect GitHub"
          text="Work on your repositories there, and mention the agent in issues."
        >
          <Link className="btn sm" to="/organizations/$organizationId/repos" params={{ organizationId }}>
            Connect
          </Link>
        </Step>
        <Step isDone={steps.people} title="Invite your team" text="They see the same runs and can answer questions.">
          <Button look="sm" onClick={() => setOpen('invite')}>
            Invite
          </Button>
        </Step>
      </ol>
      {example.error && <Fault error={example.error} />}
      {open === 'repo' && <AddRepoDialog organizationId={organizationId} onClose={() => setOpen(null)} />}
      {open === 'invite' && <InviteDialog organizationId={organizationId} onClose={() => setOpen(null)} />}
    </>
  )
}

type StepProps = { isDone: boolean; title: string; text: string; children?: ReactNode }

function Step({ isDone, title, text, children }: StepProps): ReactElement {
  return (
    <li data-done={isDone || undefined}>
      <Icon name={isDone ? 'check' : 'chev'} />
      <div className="grow">
        <div className="strong">
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </div>
        <p className="faint small">{text}</p>
      </div>
      {!isDone && children && <div className="row wrap list-detail">{children}</div>}
    </li>
  )
}

/** One press: the example repository, and a run that fixes it. */
function useExample(organizationId: number) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (): Promise<RunIds> => {
      const repos = await queries.fetchQuery({ ...reposQuery(organizationId), staleTime: 0 })
      const repo =
        repos.find(({ name }) => name === 'receipts') ??
        (await client.repositories.createRepo({ org_id: organizationId, name: 'receipts', import_from: 'example' }))
      const run = await client.runs.createRun({ org_id: organizationId, prompt: examplePrompt, repo_id: repo.id })
      return { organizationId, runId: run.id }
    },
    onSuccess: async (params) => {
      void queries.invalidateQueries({ queryKey: ['repos', organizationId] })
      void queries.invalidateQueries({ queryKey: ['runs', organizationId] })
      await navigate({ to: '/runs/$organizationId/$runId', params })
    },
  })
}
