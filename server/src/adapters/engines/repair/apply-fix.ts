import { diffLines } from '#base/text/diff-lines.ts'
import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { kinds } from './candidates/kinds.ts'
import { applyCandidate } from './candidates/make-candidates.ts'
import { hashOf, readSource } from './find-fault.ts'
import type { Fix } from './fix.ts'

/** Writes the whole changed file; doing it twice does no harm. */
export async function applyFix(turn: Turn, fix: Fix, attempt: number): Promise<void> {
  await turn.step(
    {
      key: `t${turn.number}/apply/${attempt}`,
      kind: 'tool',
      request: { tool: 'edit', path: fix.file, start: fix.start, end: fix.end, text: fix.text },
    },
    async () => {
      const { before, after } = await readBoth(turn, fix)
      await writeSource(turn, fix.file, after)
      return {
        response: null,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'edit',
            thought: 'The best-ranked change that makes every test pass.',
            toolInput: { path: fix.file, line: fix.line, before: fix.before, after: fix.after },
            toolOutput: { path: fix.file, kind: fix.kind, diff: diffLines(fix.file, before, after).diff },
            observation: `${fix.file}:${fix.line} (${kinds[fix.kind][1]})\n- ${fix.before}\n+ ${fix.after}`,
          },
        ],
      }
    },
  )
}

/** Puts the file back as it was. */
export async function undoFix(turn: Turn, fix: Fix, attempt: number): Promise<void> {
  await turn.step(
    { key: `t${turn.number}/undo/${attempt}`, kind: 'tool', request: { tool: 'edit', path: fix.file, undo: attempt } },
    async (signal) => {
      const { before, after } = await readBoth(turn, fix)
      await writeSource(turn, fix.file, before)
      signal.throwIfAborted()
      return {
        response: null,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'edit',
            thought: "This change does not pass the project's own test run, so it is reverted.",
            toolInput: { path: fix.file, line: fix.line, before: fix.after, after: fix.before },
            toolOutput: { path: fix.file, undone: true, diff: diffLines(fix.file, after, before).diff },
            observation: `${fix.file} is as it was.`,
          },
        ],
      }
    },
  )
}

/** The file without the fix and with it, whichever of the two it holds now. */
async function readBoth(turn: Turn, fix: Fix): Promise<{ before: string; after: string }> {
  const source = await readSource(turn, fix.file)
  if (hashOf(source) === fix.hash) return { before: source, after: applyCandidate(source, fix) }
  if (hashOf(source) !== fix.hashAfter) throw changedMeanwhile(fix)
  const undo = { start: fix.start, end: fix.start + fix.text.length, text: fix.removed }
  return { before: applyCandidate(source, undo), after: source }
}

async function writeSource(turn: Turn, file: string, text: string): Promise<void> {
  await turn.sandbox.writeFile(`${turn.sandbox.paths.workspace}/${file}`, Buffer.from(text))
}

function changedMeanwhile(fix: Fix): EngineError {
  return new EngineError('engine_error', `${fix.file} was changed by something else during the repair.`)
}
