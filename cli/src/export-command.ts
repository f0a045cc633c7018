import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { findRepo } from './find-repo.ts'
import { printLine } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'
import { verifyExport } from './verify-export.ts'

type Options = { output?: string }
type Content = Awaited<ReturnType<Settings['client']['download']>>
type Export = { name: string; content: Content }

export function addExportCommand(program: Command, settings: () => Settings): void {
  const parent = program.command('export').description('save all that is stored of something, as a .tar.gz')
  const add = (words: string, description: string, open: (settings: Settings, argument: string) => Promise<Export>) =>
    parent
      .command(words)
      .description(description)
      .option('--output <path>', 'where to save it (default: a name in this folder)')
      .action(async (...options: [string, Options] | [Options]) => {
        const [argument, { output }] = options.length > 2 ? (options as [string, Options]) : ['', options[0] as Options]
        await save(await open(settings(), argument), output)
      })
  add('run <run>', 'a run with its log and files', async ({ client, organizationId }, run) => {
    const input = { org_id: await organizationId(), agent_run_id: readId(run, 'The run') }
    return { name: `run-${input.agent_run_id}`, content: await client.download('exportRun', input) }
  })
  add('repo <name>', 'a repository with its pull requests, issues and commits (ADMIN)', async (settings, name) => {
    const organization = await settings.organizationId()
    const input = { org_id: organization, repo_id: await findRepo(settings, organization, name) }
    return { name: `repository-${input.repo_id}`, content: await settings.client.download('exportRepo', input) }
  })
  add('organization', 'the organization with all that is in it (ADMIN)', async ({ client, organizationId }) => {
    const input = { org_id: await organizationId() }
    return { name: `organization-${input.org_id}`, content: await client.download('exportOrganization', input) }
  })
  add('me', 'your account, and what you wrote', async ({ client }) => ({
    name: `user-${(await client.users.getMe()).id}`,
    content: await client.download('exportMe', undefined),
  }))
}

/** A file has its name only once it is whole: what broke off leaves nothing that looks like an export. */
async function save({ name, content }: Export, output = `${name}.tar.gz`): Promise<void> {
  const part = `${output}.${randomBytes(6).toString('hex')}.part`
  try {
    await pipeline(Readable.fromWeb(content as never), createWriteStream(part, { flags: 'wx', flush: true }))
    await verifyExport(part)
    // Unlike a rename, it does not replace a file that is there.
    await link(part, output)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${output} already exists. Choose another name with --output.`)
    if (code === undefined || !code.startsWith('E'))
      throw new UsageError(`The export broke off. Try again. (${message})`)
    throw new UsageError(`Could not write ${output}: ${message}`)
  } finally {
    await rm(part, { force: true })
  }
  printLine(`Saved ${output}`)
}
