import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createClient } from '@runwright/sdk'
import type { RunningService } from './start-service.ts'

type Repo = { id: number; full_name: string; git_url: string }
export type Prepared = { organizationId: number; token: string; repo: Repo }

export type Prepare = { service: RunningService; dataDir: string }

/** Makes an organization, a user, that user's token and the example's repository; at a second start finds them again. */
export async function prepare({ service, dataDir }: Prepare): Promise<Prepared> {
  const file = path.join(dataDir, 'demo.json')
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { organizationId: number; token: string; repoId: number })
    : undefined
  if (known) {
    const repo = await createClient({ baseUrl: service.url, token: known.token }).repositories.getRepo({
      org_id: known.organizationId,
      repo_id: known.repoId,
    })
    say(`Found the organization, the user and the repository ${repo.full_name} of last time.`)
    return { ...known, repo }
  }
  const admin = createClient({ baseUrl: service.url, token: service.adminToken })
  const organization = await admin.organizations.createOrganization({ name: 'Demo' })
  const user = await admin.organizations.createMember({
    org_id: organization.id,
    email: 'ada@example.com',
    full_name: 'Ada Example',
    role: 'MANAGER',
  })
  const made = await admin.tokens.createToken({ org_id: organization.id, name: 'demo', user_id: user.id })
  const token = String(made.token)
  say(`Made the organization “${organization.name}” and the user ${user.email} with a token.`)
  const client = createClient({ baseUrl: service.url, token })
  const repo = await client.repositories.createRepo({
    org_id: organization.id,
    name: 'receipts',
    import_from: 'example',
  })
  say(`Added the example repository ${repo.full_name}; one of its tests fails.`)
  writeFileSync(file, JSON.stringify({ organizationId: organization.id, token, repoId: repo.id }), { mode: 0o600 })
  return { organizationId: organization.id, token, repo }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
