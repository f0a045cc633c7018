import { parseArgs } from 'node:util'
import type { Config } from '#base/config/config.ts'
import type { Environment } from '#base/config/open-reader.ts'
import { makeSupportBundle } from './make-support-bundle.ts'

/** What the operator asks for: at most where it is written, and which log is looked through. */
export async function runSupportCommand(config: Config, env: Environment, words: string[]): Promise<void> {
  const { output, log } = readOptions(words)
  const day = new Date().toISOString().slice(0, 16).replaceAll(/[:T]/g, '-')
  const summary = await makeSupportBundle(config, { env, log, output: output ?? `runwright-support-${day}.tar.gz` })
  process.stdout.write(`${summary}\n`)
}

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { output: { type: 'string' }, log: { type: 'string' } } }).values
  } catch {
    throw new Error('Give at most "--output file" and "--log file": "support-bundle --output bundle.tar.gz".')
  }
}
