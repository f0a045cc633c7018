#!/usr/bin/env node
// `runwright up` starts the service; every word that does not start a part of it is one of the command line.
import os from 'node:os'
import path from 'node:path'

const parts = {
  up: 'all',
  api: 'api',
  worker: 'worker',
  'remote-worker': 'remote-worker',
  migrate: 'migrate',
  doctor: 'doctor',
  engines: 'engines',
  'worker-tokens': 'worker-tokens',
  'forget-secrets': 'forget-secrets',
  backup: 'backup',
  verify: 'verify',
  restore: 'restore',
  'support-bundle': 'support-bundle',
}
const withArguments = ['backup', 'verify', 'restore', 'support-bundle', 'engines', 'worker-tokens']
const [word, ...others] = process.argv.slice(2)

if (Object.hasOwn(parts, word ?? '')) await startPart(parts[word])
else {
  const { runProgram } = await import('@runwright/cli')
  await runProgram({
    about: `Besides, \`up\` starts the service on this machine, and \`api\`, \`worker\`, \`migrate\`, \`doctor\` and \`forget-secrets\` parts of it. \`backup\`, \`verify\` and \`restore\` take the folder of a backup. \`engines\` lists and installs agents such as Claude Code. \`remote-worker\` runs the sandboxes of a service elsewhere, and \`worker-tokens\` makes what it needs to be let in. \`support-bundle\` writes what somebody who helps you needs.`,
  })
}

async function startPart(part) {
  if (others.length && !withArguments.includes(word)) {
    console.error(`"runwright ${word}" takes no arguments; it is set up by environment variables (docs/settings.md).`)
    process.exit(1)
  }
  process.env.RUNWRIGHT_DATA_DIR ||= dataFolder()
  process.env.NODE_COMPILE_CACHE ||= cacheFolder()
  process.argv.splice(2, Infinity, path.join(import.meta.dirname, '../server/src/main.js'), part, ...others)
  await import('./node24.mjs')
}

/** Not beside the code: an update replaces that. */
function dataFolder() {
  if (process.getuid?.() === 0) return '/var/lib/runwright'
  const home = process.env.XDG_DATA_HOME || path.join(os.homedir(), '.local/share')
  return path.join(home, 'runwright')
}

function cacheFolder() {
  if (process.getuid?.() === 0) return '/var/cache/runwright'
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'runwright')
}
