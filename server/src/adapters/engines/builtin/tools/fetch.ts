import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { findImageType } from '#base/find-image-type.ts'
import { OffProcessLimit } from '#base/off-process/off-process-limit.ts'
import { readPage } from './read-page.ts'
import { runInside } from './run-inside.ts'
import { sayRefused } from './say-refused.ts'
import { defineTool, ToolFailure, type ToolContext, type ToolResult } from './tool.ts'

const URL_CHARACTERS_MAX = 2_000
const CHARACTERS_MAX = 24_000
/** Of a refusal by the server that answers. */
const ERROR_CHARACTERS_MAX = 2_000
const OFFSET_MAX = 100_000_000
const BODY_BYTES_MAX = 8 * 1024 * 1024
const IMAGE_BYTES_MAX = 1024 * 1024
const REDIRECTS_MAX = 5
const FETCH_MS = 45_000
/** For Node to start and the body to be handed out, on a machine that is busy. */
const COMMAND_MS = FETCH_MS + 40_000

/** Kinds that hold text besides `text/…`; what does not say its kind is looked at. */
const textTypes =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|sql|x-sh|x-ndjson|graphql)\b|^application\/octet-stream|^$/

/** What `fetch-inside.mjs` says of an answer. */
type Head = { hosts?: string[] } & (
  | { fault: string }
  | {
      fault?: never
      url: string
      status: number
      statusText: string
      type: string
      cut: 'size' | 'time' | 'connection' | null
    }
)
type Answer = Exclude<Head, { fault: string }> & { body: Buffer }

export const fetchTool = defineTool({
  name: 'fetch',
  description:
    'Read a web page or document by its address, through the network of the sandbox: only names that people have allowed can be reached. ' +
    `HTML is shown as Markdown, text and JSON as they are, an image as an image. At most ${CHARACTERS_MAX} characters at once; offset goes on.`,
  schema: z.strictObject({
    url: z.string().min(1).max(URL_CHARACTERS_MAX).describe('http or https, without user and password'),
    offset: z.int().min(0).max(OFFSET_MAX).optional().describe('Characters of the text to leave out'),
  }),
  isReadOnly: true,
  isFromOutside: true,
  loggedInput: (input) => ({ ...input, url: withoutCredentials(input['url']) }),
  async run({ url: asked, offset = 0 }, context) {
    const url = readAddress(asked)
    const answer = await fetchInside(url, context)
    const type = answer.type.split(';')[0]!.trim().toLowerCase()
    const output = { url: answer.url, status: answer.status, media_type: type, bytes: answer.body.length }
    const imageType = findImageType(answer.body)
    if (imageType !== null && answer.status < 400) return showImage(answer, imageType, { output, context })
    if (!textTypes.test(type)) {
      const text = `${answer.url} is ${type}, ${answer.body.length} bytes, which cannot be shown. Download it with a command, and look at it with a program that reads it.`
      return { text, output }
    }
    return showText(answer, { offset, output, context })
  },
})

/** What may be logged of an address: one with a user and a password is never fetched, and is not shown either. */
export function withoutCredentials(url: unknown): string {
  return String(url).replace(/^(\s*[a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@/i, '$1')
}

function readAddress(asked: string): string {
  const url = URL.parse(asked)
  if (!url) throw new ToolFailure('That is no address. Give a whole one, such as https://example.org/page.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolFailure(`Only http and https are fetched, not ${url.protocol}. Files are for read.`)
  if (url.username || url.password)
    throw new ToolFailure(
      'The address holds a user or a password. Pages that need one are for a command with a secret.',
    )
  url.hash = ''
  return url.href
}

/** The sandbox's own program asks, so that the walls of the sandbox are those of this tool. */
async function fetchInside(url: string, context: ToolContext): Promise<Answer> {
  const { sandbox } = context
  if (sandbox.proxyUrl === null) throw new ToolFailure('This sandbox has no network.')
  const program = readFileSync(new URL('./fetch-inside.mjs', import.meta.url), 'utf8')
  const options = { url, bytesMax: BODY_BYTES_MAX, timeMs: FETCH_MS, redirectsMax: REDIRECTS_MAX }
  const flags = ['--no-warnings', '--use-system-ca', '--input-type=module']
  const ran = await runInside(context, {
    argv: [`${sandbox.paths.nodeFolder}/node`, ...flags, '-e', program, '--', JSON.stringify(options)],
    // Nothing of the workspace has a say in how the program runs.
    cwd: '/',
    timeoutMs: COMMAND_MS,
    outputBytesMax: BODY_BYTES_MAX + 64 * 1024,
    // The bytes of a page are not for people who watch the run.
    isSession: true,
  })
  const head = readHead(ran.stderr.toString('utf8'))
  const hosts = head?.hosts ?? [new URL(url).hostname]
  const seen = (await context.listRefusals?.(ran.durationMs)) ?? []
  const refused = seen.filter(({ name }) => hosts.includes(name))
  if (!head || head.fault !== undefined) {
    const why = head?.fault ?? (ran.reason === 'timeout' ? 'it took too long' : 'the program that fetches failed')
    throw new ToolFailure(`${url} could not be fetched: ${why}.${sayRefused(refused)}`, refusedNames(refused))
  }
  if (head.statusText.startsWith('Refused ('))
    throw new ToolFailure(
      `${ran.stdout.subarray(0, 500).toString('utf8').trim()}.${sayRefused(refused)}`,
      refusedNames(refused),
    )
  return { ...head, body: ran.stdout }
}

const refusedNames = (refused: { name: string }[]) =>
  refused.length > 0 ? { refused_names: refused.map(({ name }) => name) } : {}

/** It is written in the sandbox, where anything may write: what does not fit is no answer. */
function readHead(printed: string): Head | null {
  const line = printed.trimEnd().split('\n').at(-1) ?? ''
  try {
    const read = headSchema.safeParse(JSON.parse(line))
    return read.success ? (read.data as Head) : null
  } catch {
    return null
  }
}

const headSchema = z.union([
  z.object({ fault: z.string().max(2_000), hosts: z.array(z.string()).optional() }),
  z.object({
    url: z.string().max(10_000),
    status: z.int(),
    statusText: z.string(),
    type: z.string().max(1_000),
    cut: z.enum(['size', 'time', 'connection']).nullable(),
    hosts: z.array(z.string()).optional(),
  }),
])

type Show = { output: { url: string; status: number; media_type: string; bytes: number }; context: ToolContext }

function showImage({ url, body, cut }: Answer, mediaType: string, { output, context }: Show): ToolResult {
  const what = `${url}, ${mediaType}, ${body.length} bytes`
  if (!context.canSeeImages) return { text: `[${what}; images cannot be shown to this model]`, output }
  if (cut !== null || body.length > IMAGE_BYTES_MAX)
    return { text: `[${what}; more than the ${IMAGE_BYTES_MAX} that are shown]`, output }
  return { text: `[${what}]`, output, image: { mediaType, base64: body.toString('base64') } }
}

async function showText(answer: Answer, { offset, output, context }: Show & { offset: number }): Promise<ToolResult> {
  const { url, status, statusText, type, body, cut } = answer
  const hasFailed = status >= 400
  const charactersMax = hasFailed ? ERROR_CHARACTERS_MAX : CHARACTERS_MAX
  const { sandbox, signal } = context
  const page = await readPage({ body, type, url, offset, charactersMax, key: sandbox.id, signal }).catch(
    (error: unknown) => {
      if (!(error instanceof OffProcessLimit)) throw error
      throw new ToolFailure(
        `${url} could not be read: ${error.message} Download it with a command and search in it.`,
        output,
      )
    },
  )
  if (!page) return { text: `${url} is ${body.length} bytes that are no text. Download it with a command.`, output }
  const { title, text, total, isWhole } = page
  if (offset > 0 && offset >= total)
    throw new ToolFailure(`offset is ${offset}, but the text has ${total} characters.`, output)
  const end = offset + text.length
  const cuts = {
    size: `only its first ${BODY_BYTES_MAX / 2 ** 20} MiB`,
    time: `only what came within ${FETCH_MS / 1000} s`,
    connection: 'only what came before the connection was cut',
  }
  const notes = [
    ...(offset > 0 || end < total
      ? [`characters ${offset} to ${end} of ${total}${end < total && !hasFailed ? `; go on with offset ${end}` : ''}`]
      : []),
    ...(cut ? [cuts[cut]] : []),
    ...(isWhole ? [] : ['nested too deep to be read to its end']),
  ]
  const first = `${url}${title && ` (${title})`}${hasFailed ? `: ${status} ${statusText}` : ''}`
  const last = notes.length > 0 ? `\n[${notes.join('; ')}]` : ''
  return {
    text: `${first}\n\n${text}${last}`,
    output: { ...output, characters: total },
    ...(hasFailed && { isError: true }),
  }
}
