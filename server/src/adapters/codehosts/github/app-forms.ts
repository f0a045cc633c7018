import type { AppForms } from '#adapters/codehosts/remote-host.ts'
import type { GitHubClient } from './client.ts'
import { webUrl } from './web-url.ts'

/** GitHub makes an App of a form that a browser posts there, and hands its keys out for a code. */
export function openAppForms(client: GitHubClient): AppForms {
  return {
    begin: ({ baseUrl, account, name, ourUrl, returnUrl, webhookUrl, state }) => {
      const owner = account === null ? '' : `/organizations/${encodeURIComponent(account)}`
      const url = new URL(`${webUrl(baseUrl)}${owner}/settings/apps/new`)
      url.searchParams.set('state', state)
      // GitHub sends nothing to an address without encryption, and refuses one that is not public.
      const isReachable = webhookUrl.startsWith('https:')
      const manifest = {
        // Everybody at GitHub has another one; whoever posts the form may change it there.
        name: name.slice(0, nameCharactersMax),
        url: ourUrl,
        ...(isReachable && { hook_attributes: { url: webhookUrl, active: true }, default_events: appEvents }),
        redirect_url: returnUrl,
        public: false,
        default_permissions: appPermissions,
      }
      return { url: url.href, manifest: JSON.stringify(manifest) }
    },
    finish: async ({ code, ...access }) => {
      const { data } = await client.askNobody(access)('POST /app-manifests/{code}/conversions', { code })
      return {
        appId: data.id,
        privateKey: data.pem,
        webhookSecret: data.webhook_secret,
        problem: notInstalled(data.html_url),
      }
    },
  }
}

/** What is said of an App that is here: `https://github.com/apps/runwright`. */
export const notInstalled = (appUrl: string): string =>
  `The GitHub App is not installed on any account yet: install it at ${appUrl}/installations/new.`

const nameCharactersMax = 34

/** The least with which all works. Without `workflows` GitHub itself refuses what changes them. */
export const appPermissions = {
  metadata: 'read',
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  checks: 'write',
  statuses: 'read',
  actions: 'write',
} as const

export const appEvents = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'check_suite',
  'check_run',
  'status',
  'workflow_run',
  'repository',
]
