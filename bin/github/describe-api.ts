import path from 'node:path'
import { allRoutes } from '../../server/test/github/routes/all-routes.ts'
import { extractApi } from './extract-api.ts'

const published = path.resolve(import.meta.dirname, '../../server/test/github/published')
export const apiFile = path.join(published, 'generated/github-api.json')

/** What the fake sends of its own accord. */
const webhooks = [
  'check_run completed',
  'check_run created',
  'check_run requested_action',
  'check_run rerequested',
  'check_suite completed',
  'check_suite rerequested',
  'installation created',
  'installation deleted',
  'installation suspend',
  'installation unsuspend',
  'installation_repositories added',
  'issue_comment created',
  'issue_comment deleted',
  'issue_comment edited',
  'issues assigned',
  'issues closed',
  'issues edited',
  'issues labeled',
  'issues opened',
  'issues reopened',
  'issues unlabeled',
  'pull_request assigned',
  'pull_request closed',
  'pull_request converted_to_draft',
  'pull_request edited',
  'pull_request labeled',
  'pull_request opened',
  'pull_request ready_for_review',
  'pull_request reopened',
  'pull_request review_requested',
  'pull_request synchronize',
  'pull_request unlabeled',
  'pull_request_review submitted',
  'pull_request_review_comment created',
  'push',
  'repository renamed',
  'status',
]

/** The text of the file: a line for each operation, webhook and schema, so that a change shows where it is. */
export function describeApi(): string {
  const operations = allRoutes({ all: [], redeliver: () => {} }).map((route) => route.at)
  const { from, ...groups } = extractApi(path.join(published, 'node_modules/@octokit/openapi'), {
    operations,
    webhooks,
  })
  const lines = Object.entries(groups).map(([name, group]) => {
    const entries = Object.entries(group).map(([key, entry]) => `${JSON.stringify(key)}:${JSON.stringify(entry)}`)
    return `${JSON.stringify(name)}:{\n${entries.join(',\n')}\n}`
  })
  return `{"from":${JSON.stringify(from)},\n${lines.join(',\n')}\n}\n`
}
