import { z } from 'zod'
import { SandboxFileError } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { diffLines } from '#base/text/diff-lines.ts'
import { parsePatch, type FilePatch } from './parse-patch.ts'
import { placeHunks } from './place-hunks.ts'
import { resolvePath, type ResolvedPath } from './resolve-path.ts'
import { runInside } from './run-inside.ts'
import { changedBytes, CONTENT_BYTES_MAX, hashOf, readForChange } from './text-file.ts'
import { tellFault } from './tell-fault.ts'
import { defineTool, ToolFailure, type ToolContext } from './tool.ts'
import { DIFF_CHARACTERS_MAX } from './write.ts'

const FILES_MAX = 100
const REMOVE_MS = 20_000

/** One file that comes, changes or goes. */
type Planned = {
  mark: 'A' | 'M' | 'D'
  file: ResolvedPath
  before: string | null
  after: string
  /** Null: the file goes. */
  bytes: Buffer | null
}

export const applyPatchTool = defineTool({
  name: 'apply_patch',
  description:
    'Change files by a patch. It begins with "*** Begin Patch", ends with "*** End Patch", and holds for each file ' +
    '"*** Add File: path" with lines that begin with "+", "*** Delete File: path", or "*** Update File: path" (then ' +
    'perhaps "*** Move to: path") with changes: "@@" and a line above, then lines that begin with a space, "-" or "+". ' +
    'Nothing is changed unless all of it fits. Encodings and line ends are kept.',
  schema: z.strictObject({ input: z.string().min(1).describe('The whole patch') }),
  isReadOnly: false,
  isFromOutside: true,
  async run({ input }, context) {
    const patches = parsePatch(input)
    if (patches.length > FILES_MAX)
      throw new ToolFailure(`The patch is for ${patches.length} files, at most ${FILES_MAX} are taken at once.`)
    const planned = (await Promise.all(patches.map((patch) => plan(patch, context)))).flat()
    const [double] = planned.filter(({ file }, index) =>
      planned.some((other, at) => at < index && other.file.absolute === file.absolute),
    )
    if (double) throw new ToolFailure(`The patch names ${double.file.shown} twice. Put its changes into one part.`)
    const done: Planned[] = []
    try {
      for (const each of planned) {
        await carryOut(each, context)
        done.push(each)
      }
    } catch (error) {
      if (done.length === 0 || !(error instanceof SandboxFileError) || error.code === 'ENOSPC') throw error
      const failed = planned[done.length]!.file.shown
      const names = done.map(({ file }) => file.shown).join(', ')
      throw new ToolFailure(
        `${failed} could not be changed (${error.code}). Changed before it: ${names}.`,
        describe(done),
      )
    }
    const faults = await Promise.all(done.map((each) => faultOf(each, context)))
    const lines = done.map(({ mark, file }, index) => `${mark} ${file.shown}${faults[index]!.text}`)
    return {
      text: `Done.\n${lines.join('\n')}`,
      output: Object.assign(describe(done), ...faults.map(({ output }) => output)) as JsonObject,
      seen: done.flatMap(({ file, bytes }) => (bytes ? [{ path: file.absolute, hash: hashOf(bytes) }] : [])),
    }
  },
})

async function plan(patch: FilePatch, { sandbox }: ToolContext): Promise<Planned[]> {
  const file = resolvePath(sandbox.paths, patch.path)
  if (patch.action === 'add') {
    const bytes = Buffer.from(patch.content)
    if (bytes.length > CONTENT_BYTES_MAX)
      throw new ToolFailure(`${file.shown} would have ${bytes.length} bytes, at most ${CONTENT_BYTES_MAX} are taken.`)
    const there = await readForChange(sandbox, file)
    if (there) throw new ToolFailure(`There is a file ${file.shown} already. Change it with "*** Update File".`)
    return [{ mark: 'A', file, before: null, after: patch.content, bytes }]
  }
  const read = await readForChange(sandbox, file)
  if (!read) throw new ToolFailure(`There is no file ${file.shown}. Find it with list or search. Nothing was changed.`)
  const gone: Planned = { mark: 'D', file, before: read.text, after: '', bytes: null }
  if (patch.action === 'delete') return [gone]
  const { after, changes } = placeHunks({ path: file.shown, text: read.text }, patch.hunks)
  const bytes = changedBytes(file, read, changes)
  if (patch.moveTo === null) return [{ mark: 'M', file, before: read.text, after, bytes }]
  const target = resolvePath(sandbox.paths, patch.moveTo)
  const there = await readForChange(sandbox, target)
  if (there) throw new ToolFailure(`There is a file ${target.shown} already: ${file.shown} can not be moved there.`)
  return [{ mark: 'A', file: target, before: null, after, bytes }, gone]
}

async function carryOut({ file, bytes }: Planned, context: ToolContext): Promise<void> {
  if (bytes) return context.sandbox.writeFile(file.absolute, bytes)
  const argv = ['rm', '--', file.absolute]
  const { exitCode, stderr } = await runInside(context, { argv, timeoutMs: REMOVE_MS })
  if (exitCode !== 0) throw new SandboxFileError('EACCES', stderr.toString('utf8'))
}

async function faultOf({ file, before, after, bytes }: Planned, context: ToolContext) {
  if (!bytes) return { text: '', output: {} }
  return tellFault(context, { path: file.shown, before, after })
}

/** Paths within the workspace are those of the work; others go with the sandbox. */
function describe(done: readonly Planned[]): JsonObject {
  const diff = done.map(({ file, before, after }) => diffLines(file.shown, before ?? '', after).diff).join('')
  const inside = done.filter(({ file }) => !file.isOutside)
  return {
    paths: inside.map(({ file }) => file.shown),
    removed: inside.filter(({ mark }) => mark === 'D').map(({ file }) => file.shown),
    diff: diff.slice(0, DIFF_CHARACTERS_MAX).toWellFormed(),
  }
}
