import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { importChecks } from './import-checks.ts'
import { packingLimits } from './packing-limits.ts'
import { exists, initRepository } from './repository-folder.ts'
import { complaintOf, runGit } from './run-git.ts'
import { isRefName, parseRefs, readHead } from './read-refs.ts'

/** What git's exit code says that is no matter of an old form: objects that are missing, packs and names that are damaged. */
const faults = 2 + 4 + 8
const refsBytesMax = 256 * 2 ** 20

/**
 * What is against a repository of a backup; undefined: nothing. Git works in a repository of our own over its objects, since a
 * folder of others may tell git to run programs. `temporary`: a folder that is not there yet.
 */
export async function checkRepository(repository: string, temporary: string): Promise<string | undefined> {
  const text = await readFile(path.join(repository, 'packed-refs'), 'latin1')
  const head = await readHead(repository)
  const refs = parseRefs(text)
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  const wrong = [...refs.keys(), `refs/heads/${head}`].find((name) => !isRefName(name))
  if (text.length > refsBytesMax || lines.length !== refs.size || wrong !== undefined)
    return `its list of branches is not in order${wrong === undefined ? '' : `: ${JSON.stringify(wrong)}`}`
  try {
    await initRepository(temporary, 'main')
    await writeFile(path.join(temporary, 'packed-refs'), text, 'latin1')
    const objects = path.join(repository, 'objects')
    const { exitCode, stdout, stderr } = await runGit({
      ...packingLimits,
      repository: temporary,
      arguments: ['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress'],
      config: oldForms,
      environment: (await exists(objects)) ? { GIT_OBJECT_DIRECTORY: objects } : {},
      outputBytesMax: 2 ** 20,
    })
    return exitCode & faults ? complaintOf(`${stdout.toString()}\n${stderr}`) : undefined
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** What imports let through. */
const oldForms = importChecks.flatMap(([name, value]): [string, string][] => {
  const fault = /^fetch\.(fsck\..*)$/.exec(name)?.[1]
  return fault === undefined ? [] : [[fault, value]]
})
