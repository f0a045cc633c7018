import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ServerChannel } from 'ssh2'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { findDeployGrant } from '#domain/repos/deploy-keys/find-deploy-grant.ts'
import { findGatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import { converse } from '#git/converse.ts'
import { notFound, Refusal } from '#git/git-request.ts'
import { refusalOf } from '#git/refusal-of.ts'
import { whyReadOnly } from '#git/refuse-refs.ts'
import { reading, serveFetch } from '#git/serve-fetch.ts'
import type { GitParts, Visit } from '#git/visit.ts'
import { sshLimits } from './limits.ts'
import { parseCommand, type GitCommand } from './parse-command.ts'
import type { SendPace } from './send-pace.ts'

export type ServeCommand = {
  channel: ServerChannel
  command: string
  protocol: string | null
  /** Of the key that has signed in. */
  fingerprint: string
  pace: SendPace
  /** Aborted when the channel, or its connection, is closed. */
  gone: AbortSignal
  /** Counts a conversation of an organization; answers how to end it. Throws a `Refusal` where there are too many. */
  begin: (organizationId: number) => () => void
}

/** Runs what a client asks for, and says how it has ended: with git's own status, or with a line for people. */
export async function serveCommand(
  { pool, parts }: Pick<App, 'pool'> & { parts: GitParts },
  request: ServeCommand,
): Promise<void> {
  const { channel, gone } = request
  const over: (() => void)[] = []
  const input = openInput(channel)
  const stop = new AbortController()
  const idle = new AbortController()
  const watch = setTimeout(() => idle.abort(), sshLimits.idleMs)
  const whole = setTimeout(() => idle.abort(), limits.gitServiceMsMax)
  channel.on('data', () => watch.refresh())
  const cut = AbortSignal.any([gone, idle.signal])
  cut.addEventListener('abort', () => {
    stop.abort()
    input.destroy()
  })
  try {
    const command = parseCommand(request.command)
    const admit = () => admitKey(pool, request, command)
    const admitted = await admit()
    over.push(request.begin(command.organizationId))
    const visit = { ...admitted, parts, isOpenEnded: true, gone, stop, readBody: () => input, readmit: admit }
    const open = () => openAnswer(request, { cut, onMoved: () => watch.refresh() })
    const serve = command.service === 'upload-pack' ? fetch : push
    finish(channel, await serve({ ...visit, protocol: request.protocol }, { input, open }))
  } catch (error) {
    const isExpected = error instanceof Refusal || gone.aborted || idle.signal.aborted
    if (!isExpected) parts.onError(error)
    const slow = new Refusal(408, 'Nothing was sent or taken for too long.')
    finish(channel, 1, (idle.signal.aborted ? slow : refusalOf(error)).message)
  } finally {
    for (const end of over) end()
    clearTimeout(watch)
    clearTimeout(whole)
    input.destroy()
    channel.unpipe(input)
    // What still comes is no longer read, so that the client can send no more than its window holds.
    channel.pause()
  }
}

/** What the key opens, asked anew each time: one that was removed opens nothing more, on an open connection either. */
async function admitKey(
  pool: App['pool'],
  { fingerprint }: ServeCommand,
  { service, organizationId, repoName }: GitCommand,
): Promise<Pick<Visit, 'repo' | 'grant'>> {
  const repo = await findGatewayRepo(pool, { organizationId, name: repoName })
  const repoId = repo?.id ?? null
  const grant = repoId === null ? undefined : await findDeployGrant(pool, { fingerprint, organizationId, repoId })
  if (!repo || !grant) throw notFound()
  const against = service === 'receive-pack' ? whyReadOnly(repo, grant) : undefined
  if (against) throw new Refusal(403, `Nothing can be pushed: ${against}.`)
  return { repo, grant }
}

type Streams = { input: PassThrough; open: () => Visit['answer'] }

async function fetch(visit: Omit<Visit, 'answer'>, { input, open }: Streams): Promise<number> {
  const answer = open()
  const { parts } = visit
  const serveGit: GitParts['serveGit'] = async (repo, request) => {
    const git = await parts.serveGit(repo, request)
    // The client keeps its side open for as long as git has something to say.
    void git.ended.then(() => input.end())
    return git
  }
  const { exitCode } = await serveFetch({ ...visit, parts: { ...parts, serveGit }, answer }, 'all')
  await flush(answer)
  if (exitCode !== 0 && !answer.isBegun()) throw new Refusal(400, 'The request is not understood.')
  return exitCode ?? 1
}

async function push(visit: Omit<Visit, 'answer'>, { open }: Streams): Promise<number> {
  const { parts, repo, stop } = visit
  const refs = open()
  const listing = { ...reading(stop), service: 'receive-pack', part: 'refs', protocol: null } as const
  const git = await parts.serveGit(repo, listing)
  const end = await converse(git, { body: nothing(), answer: refs.stream, stop })
  if (end.exitCode !== 0) throw new Error(`git receive-pack could not list refs: ${end.stderr}`)
  await flush(refs)
  const answer = open()
  await parts.push({ ...visit, answer })
  await flush(answer)
  return 0
}

async function flush({ stream }: Visit['answer']): Promise<void> {
  stream.end()
  await finished(stream)
}

function openInput(channel: ServerChannel): PassThrough {
  const input = new PassThrough()
  input.on('error', () => {})
  return channel.pipe(input)
}

function openAnswer(
  { channel, pace }: ServeCommand,
  { cut, onMoved }: { cut: AbortSignal; onMoved: () => void },
): Visit['answer'] {
  let isBegun = false
  const onSend = () => {
    isBegun = true
  }
  const stream = pace.into(channel, { onSend, onSent: onMoved })
  stream.on('error', () => {})
  cut.addEventListener('abort', () => stream.destroy(new Error('the client has gone')))
  return { stream, begin: () => {}, isBegun: () => isBegun }
}

/** Says why, where it failed, in the line that git shows to people. */
function finish(channel: ServerChannel, code: number, message?: string): void {
  if (message !== undefined) channel.stderr.write(`Runwright: ${message}\n`)
  channel.exit(code)
  channel.end()
}

async function* nothing(): AsyncGenerator<Buffer> {}
