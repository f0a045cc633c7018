import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { kinds } from './candidates/kinds.ts'
import { applyCandidate } from './candidates/make-candidates.ts'
import { hashOf, readSource } from './find-fault.ts'
import type { Fix } from './search-fix.ts'

/** Writes the whole changed file; doing it twice does no harm. */
export async function applyFix(turn: Turn, fix: Fix, attempt: number): Promise<void> {
  await turn.step(
    {
      key: `t${turn.number}/apply/${attempt}`,
      kind: 'tool',
      request: { tool: 'edit', path: fix.file, start: fix.start, end: fix.end, text: fix.text },
    },
    async () => {
      const source = await readSource(turn, fix.file)
      if (hashOf(source) !== fix.hashAfter) {
        if (hashOf(source) !== fix.hash) throw changedMeanwhile(fix)
        await writeSource(turn, fix.file, applyCandidate(source, fix))
      }
      return {
        response: null,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'edit',
            thought: 'The best-ranked change that makes every test pass.',
            toolInput: { path: fix.file, line: fix.line, before: fix.before, after: fix.after },
            toolOutput: { path: fix.file, kind: fix.kind },
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
      const source = await readSource(turn, fix.file)
      if (hashOf(source) !== fix.hash) {
        if (hashOf(source) !== fix.hashAfter) throw changedMeanwhile(fix)
        const removed = fix.removed
        await writeSource(
          turn,
          fix.file,
          applyCandidate(source, { start: fix.start, end: fix.start + fix.text.length, text: removed }),
        )
      }
      signal.throwIfAborted()
      return {
        response: null,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'edit',
            thought: "In the project's own test run this change does not hold, so it is taken back.",
            toolInput: { path: fix.file, line: fix.line, before: fix.after, after: fix.before },
            toolOutput: { path: fix.file, undone: true },
            observation: `${fix.file} is as it was.`,
          },
        ],
      }
    },
  )
}

async function writeSource(turn: Turn, file: string, text: string): Promise<void> {
  await turn.sandbox.writeFile(`${turn.sandbox.paths.workspace}/${file}`, Buffer.from(text))
}

function changedMeanwhile(fix: Fix): EngineError {
  return new EngineError('engine_error', `${fix.file} was changed by something else while the repair was going on.`)
}
