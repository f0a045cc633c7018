import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { exportPath, inWorkspace, runCommand } from './run-command.ts'
import type { Suite } from './suite.ts'

const PREPARE_MS = 120_000
/** What changes the shell itself changes no file. */
const CHANGES_SHELL = /\b(?:cd|export|source|set|ulimit)\b|^\.\s/
/** What has built already builds nothing, and would with a candidate. */
const BUILDS = /build|compile|bundle|\b(?:tsc|babel|rollup|webpack|vite|swc|turbo|nx|make|gulp|grunt)\b/

/** The suite without what stands before its tests, if that changes nothing below its folder, such as a check: it need not run each time. */
export async function withoutIdle(sandbox: Sandbox, suite: Suite, signal: AbortSignal): Promise<Suite> {
  const { prepare, folder } = suite
  if (!prepare || CHANGES_SHELL.test(prepare) || BUILDS.test(prepare)) return suite
  // The clock that files are stamped by may stand still for some milliseconds.
  const shell = `${exportPath(sandbox)}
stamp=$(mktemp -p ${sandbox.paths.temporary}) && sleep 0.05 && { ${prepare}; } >/dev/null 2>&1 && find . -newer "$stamp" -not -path './.git*' -not -name node_modules -not -path '*/node_modules/.cache*' | head -n 1 | sed 's/^/changed: /' && echo done
rm -f "$stamp"`
  const cwd = inWorkspace(sandbox, folder)
  const result = await runCommand(sandbox, { shell, cwd, timeoutMs: PREPARE_MS, env: { CI: '1' } }, signal)
  const isIdle = result.stdout.toString('utf8') === 'done\n'
  return isIdle ? { ...suite, prepare: '', leftOut: [...suite.leftOut, prepare] } : suite
}
