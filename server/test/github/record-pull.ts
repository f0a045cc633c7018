import { tellPull, type PullIssue } from './pulls.ts'
import { tellSuite } from './run-workflow.ts'
import { nextId, type Account, type Pull, type Repository, type World } from './world.ts'

export type NewPull = Pick<Pull, 'head' | 'base'> & {
  number: number
  title: string
  body: string | null
  draft: boolean
  by: Account
}

/** A pull request is there, and hooks and checks are told of it. */
export async function recordPull(world: World, repository: Repository, request: NewPull): Promise<PullIssue> {
  const { number, title, body, draft, head, base, by } = request
  repository.numbers = number
  const now = new Date()
  const issue: PullIssue = {
    id: nextId(world),
    number,
    title,
    body,
    state: 'open',
    author: by,
    labels: [],
    assignees: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    pull: {
      id: nextId(world),
      draft,
      head,
      base,
      requested: [],
      mergedAt: null,
      mergedBy: null,
      mergeCommit: null,
      mergedOnto: null,
      mergeability: null,
    },
  }
  repository.issues.set(number, issue)
  await tellPull(world, repository, issue, { action: 'opened', by })
  for (const suite of repository.suites.filter((each) => each.sha === head.sha)) tellSuite(world, repository, suite)
  return issue
}
