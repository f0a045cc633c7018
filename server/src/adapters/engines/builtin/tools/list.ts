import { z } from 'zod'
import { cleanOutput } from './clean-output.ts'
import { resolvePath } from './resolve-path.ts'
import { runInside } from './run-inside.ts'
import { defineTool, ToolFailure, type ToolContext, type ToolResult } from './tool.ts'

const ENTRIES_MAX = 200
const TIME_MS = 20_000
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024

/** Sizes and paths below the current folder: what git does not ignore, or where there is no git, everything. */
const SCRIPT = String.raw`
if git rev-parse --git-dir >/dev/null 2>&1; then
  git ls-files -coz --exclude-standard | xargs -0 -r stat --printf '%s\t%n\0' -- 2>/dev/null
else
  find . -name .git -prune -o -type f -printf '%s\t%P\0' 2>/dev/null
fi
exit 0
`

export const listTool = defineTool({
  name: 'list',
  description: `List files and folders as a tree with sizes in bytes, files ignored by git left out. At most ${ENTRIES_MAX} entries.`,
  schema: z.strictObject({
    path: z.string().optional().describe('Folder, relative to the workspace'),
    depth: z.int().min(1).max(4).optional().describe('2 when not given'),
  }),
  isReadOnly: true,
  isFromOutside: true,
  run: (input, context) => listFolder(input, context),
})

type Listing = { path?: string | undefined; depth?: number | undefined }

export async function listFolder({ path = '.', depth = 2 }: Listing, context: ToolContext): Promise<ToolResult> {
  const folder = resolvePath(context.sandbox.paths, path)
  const result = await runInside(context, {
    argv: ['bash', '-c', `cd -- "$1" || exit 3\n${SCRIPT}`, 'list', folder.absolute],
    timeoutMs: TIME_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  })
  if (result.exitCode === 3) throw new ToolFailure(`There is no folder ${folder.shown}. List the one above it.`)
  if (result.reason === 'timeout') throw new ToolFailure('The listing took too long. List a folder further down.')
  const tree = growTree(result.stdout.toString('utf8'))
  const lines = drawTree(tree, depth, '')
  const more =
    lines.length > ENTRIES_MAX ? `\n[${lines.length - ENTRIES_MAX} more entries: list a folder further down]` : ''
  return {
    text: `${folder.shown}/\n${lines.length === 0 ? '[empty]' : cleanOutput(lines.slice(0, ENTRIES_MAX).join('\n'))}${more}`,
    output: { path: folder.shown, entries: lines.length },
  }
}

type Tree = { files: Map<string, number>; folders: Map<string, Tree>; fileCount: number }

function growTree(output: string): Tree {
  const root: Tree = { files: new Map(), folders: new Map(), fileCount: 0 }
  for (const record of output.split('\0')) {
    const tab = record.indexOf('\t')
    if (tab < 0) continue
    const parts = record.slice(tab + 1).split('/')
    const name = parts.pop() ?? ''
    let tree = root
    tree.fileCount++
    for (const part of parts) {
      const child = tree.folders.get(part) ?? { files: new Map(), folders: new Map(), fileCount: 0 }
      tree.folders.set(part, child)
      child.fileCount++
      tree = child
    }
    tree.files.set(name, Number(record.slice(0, tab)))
  }
  return root
}

function drawTree(tree: Tree, depth: number, indent: string): string[] {
  const folders = [...tree.folders].sort(byName).flatMap(([name, child]) => {
    if (depth === 1) return [`${indent}${name}/ (${child.fileCount} files)`]
    return [`${indent}${name}/`, ...drawTree(child, depth - 1, `${indent}  `)]
  })
  const files = [...tree.files].sort(byName).map(([name, bytes]) => `${indent}${name} ${bytes}`)
  return [...folders, ...files]
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}
