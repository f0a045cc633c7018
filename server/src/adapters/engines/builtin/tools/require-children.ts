import { ChildRunRefused, type ChildRuns } from '#adapters/engines/engine.ts'
import { ToolFailure, type ToolContext } from './tool.ts'

/** Does something with the runs of this one. Throws a `ToolFailure` where it may have none, or that one is refused. */
export async function requireChildren<T>(
  { children }: ToolContext,
  act: (children: ChildRuns) => Promise<T>,
): Promise<T> {
  if (!children) throw new ToolFailure('This run may not start others. Do the work here.')
  try {
    return await act(children)
  } catch (error) {
    if (error instanceof ChildRunRefused) throw new ToolFailure(error.message)
    throw error
  }
}
