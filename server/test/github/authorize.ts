import { jwtVerify } from 'jose'
import { GitHubError, notFound } from './github-error.ts'
import { type Route } from './route.ts'
import {
  atLeast,
  isInstalledOn,
  roleOf,
  type Account,
  type Caller,
  type Level,
  type Repository,
  type Role,
  type Token,
  type World,
} from './world.ts'

export async function findCaller(world: World, authorization: string | undefined): Promise<Caller> {
  if (!authorization) return null
  const [scheme = '', value = ''] = authorization.split(' ', 2)
  const text = /^basic$/i.test(scheme) ? passwordIn(value) : value
  if (/^bearer$/i.test(scheme) && text.split('.').length === 3 && !text.startsWith('ghs_')) return readJwt(world, text)
  const token = world.tokens.get(text)
  if (!token || (token.expiresAt && token.expiresAt <= new Date())) throw new GitHubError(401, 'Bad credentials')
  if (token.installation?.isSuspended) throw new GitHubError(403, 'This installation has been suspended')
  return { token, text }
}

const passwordIn = (value: string) =>
  Buffer.from(value, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')

async function readJwt(world: World, text: string): Promise<Caller> {
  const claims = claimsIn(text)
  const app = world.apps.find((each) => String(each.id) === String(claims['iss']) || each.clientId === claims['iss'])
  if (!app) throw new GitHubError(401, 'Integration not found')
  const now = Date.now() / 1_000
  const [issued, expires] = [Number(claims['iat']), Number(claims['exp'])]
  if (!(expires > now))
    throw new GitHubError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (expires > now + 601) throw new GitHubError(401, "'Expiration time' claim ('exp') is too far in the future")
  if (!(issued <= now + 1))
    throw new GitHubError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  await jwtVerify(text, app.publicKey, { algorithms: ['RS256'] }).catch((cause: unknown) => {
    throw new GitHubError(401, 'A JSON web token could not be decoded', { cause: String(cause) })
  })
  return { app }
}

function claimsIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    throw new GitHubError(401, 'A JSON web token could not be decoded')
  }
}

/** Whether somebody sees a repository at all. What they do not see is not there. */
export function sees(caller: Caller, repository: Repository): boolean {
  if (!repository.isPrivate) return true
  if (!caller || 'app' in caller) return false
  const { account, installation, repositories } = caller.token
  if (repositories && !repositories.has(repository)) return false
  return installation ? isInstalledOn(installation, repository) : roleOf(repository, account) !== null
}

const roleFor: Record<Level, Role> = { read: 'read', write: 'write', admin: 'admin' }

/** Refuses what a caller may not do in a repository: with 404 what it does not see, with 403 the rest. */
export function authorize(caller: Caller, repository: Repository, route: Pick<Route, 'needs' | 'isForReaders'>): void {
  if (!sees(caller, repository)) throw notFound()
  const needs = Object.entries(route.needs ?? { metadata: 'read' }) as [string, Level][]
  const isWrite = needs.some(([, level]) => level !== 'read')
  if (repository.isArchived && isWrite) throw new GitHubError(403, 'Repository was archived so is read-only.')
  if (!caller || 'app' in caller) {
    if (isWrite) throw new GitHubError(401, 'Requires authentication')
    return
  }
  const { token } = caller
  if (token.permissions && (isWrite || repository.isPrivate)) {
    const isOutside =
      (token.repositories !== null && !token.repositories.has(repository)) ||
      (token.installation !== null && !isInstalledOn(token.installation, repository))
    const holds = ([name, level]: [string, Level]) => isEnough(token.permissions?.[name], level)
    if (isOutside || !needs.some(holds)) {
      const kind = token.installation ? 'integration' : 'personal access token'
      throw new GitHubError(
        403,
        `Resource not accessible by ${kind}`,
        {},
        {
          'x-accepted-github-permissions': needs.map(([name, level]) => `${name}=${level}`).join('; '),
        },
      )
    }
  }
  if (token.installation) return
  const least = route.isForReaders ? 'read' : roleFor[needs[0]?.[1] ?? 'read']
  if (!atLeast(roleOf(repository, token.account), least))
    throw new GitHubError(403, 'Must have admin rights to Repository.')
}

export const isEnough = (held: Level | undefined, request: Level): boolean => {
  const order: (Level | undefined)[] = [undefined, 'read', 'write', 'admin']
  return order.indexOf(held) >= order.indexOf(request)
}

/** The account by whose name something is done. */
export function accountOf(caller: Caller): Account {
  if (!caller) throw new GitHubError(401, 'Requires authentication')
  return 'app' in caller ? caller.app.bot : caller.token.account
}

export function needInstallation(caller: Caller): NonNullable<Token['installation']> {
  if (!caller || 'app' in caller || !caller.token.installation)
    throw new GitHubError(
      403,
      'You must authenticate with an installation access token in order to list repositories for an installation.',
    )
  return caller.token.installation
}
