import path from 'node:path'
import { readConfig, type Config } from '#base/config/config.ts'
import type { Environment } from '#base/config/open-reader.ts'
import { findMisspelled, watchNames } from '#base/config/find-misspelled.ts'

const words = [
  'all',
  'api',
  'worker',
  'remote-worker',
  'migrate',
  'doctor',
  'engines',
  'worker-tokens',
  'forget-secrets',
  'backup',
  'verify',
  'restore',
  'support-bundle',
] as const
type Word = (typeof words)[number]

const usage = `What to start: ${words.join(', ')} (all when left out).
  all             API, git host and worker, each started again when it ends
  api             API and git host
  worker          a worker
  remote-worker   a worker that reaches the service over HTTPS alone, without its database and keys
  migrate         brings the database to the newest schema and ends
  doctor          says what holds on this machine and ends
  engines [install <name>]   lists the agents that can be installed, or installs one
  worker-tokens [create <name> | revoke <id>]   lists what lets remote workers in, makes one, or ends one
  forget-secrets  removes the secrets whose key is lost and ends
  backup <folder>   copies all that the service knows to a new folder; --without-blobs leaves files in their store
  verify <folder>   reads a backup to its end and says whether it is whole
  restore <folder>  fills an empty service with a backup; --without-key where the secret key is lost
  support-bundle    writes a .tar.gz for who helps you, without secrets; --output <file>, --log <file of the service's log>`

/** Starts what is asked for. Whatever keeps it from starting is said in a sentence, without a stack trace. */
async function main(): Promise<void> {
  const word = (process.argv[2] ?? 'all') as Word
  if (!words.includes(word)) return fail(`There is no "${word}" to start.\n${usage}`)
  const isSupervised = process.argv[3] === 'supervised'
  try {
    // eslint-disable-next-line node/no-process-env -- handed to the one place that reads it
    const { env, asked } = watchNames(process.env)
    const config = readConfig(env, { root: path.resolve(import.meta.dirname, '../..') })
    if (!isSupervised)
      for (const note of [...config.notes, ...findMisspelled(env, asked)]) process.stderr.write(`${note}\n`)
    await run(word, { config, env, isSupervised })
  } catch (error) {
    // A fault of ours shows its place; what the operator can fix does not need one.
    const isOurs = error instanceof TypeError || error instanceof ReferenceError
    fail(isOurs ? String(error.stack) : (error as Error).message)
  }
}

type Run = { config: Config; env: Environment; isSupervised: boolean }

/** Each process loads what it needs and nothing else. */
async function run(word: Word, { config, env, isSupervised }: Run): Promise<void> {
  if (word === 'all' || word === 'api' || word === 'worker' || word === 'remote-worker') {
    await (await import('#process/require-folder.ts')).requireFolder(config.dataDir)
  }
  // The supervisor itself connects to nothing.
  if (config.caFile && word !== 'all')
    await (await import('#base/network/trust-certificates.ts')).trustCertificates(config.caFile, config.dataDir)
  if (word === 'all') return (await import('#process/supervise.ts')).supervise(config)
  if (word === 'remote-worker') return (await import('#process/remote/run-remote-worker.ts')).runRemoteWorker(config)
  if (word === 'doctor' && config.serviceUrl)
    return (await import('#process/remote/examine-remote.ts')).examineRemote(config)
  if (word === 'api' || word === 'worker')
    return (await import('#process/run-part.ts')).runPart(config, { role: word, isSupervised })
  if (word === 'backup' || word === 'verify' || word === 'restore')
    return (await import('#process/backup/run-backup-command.ts')).runBackupCommand(config, word, process.argv.slice(3))
  if (word === 'engines')
    return (await import('#process/engines/run-engines-command.ts')).runEnginesCommand(config, process.argv.slice(3))
  if (word === 'worker-tokens')
    return (await import('#process/worker-tokens/run-worker-tokens-command.ts')).runWorkerTokensCommand(
      config,
      process.argv.slice(3),
    )
  if (word === 'support-bundle')
    return (await import('#process/support/run-support-command.ts')).runSupportCommand(
      config,
      env,
      process.argv.slice(3),
    )
  return (await import('#process/maintain.ts')).maintain(config, word)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

await main()
// Whatever is still open has been given its time.
process.exit()
