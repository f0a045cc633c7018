import type { Reader } from './open-reader.ts'

export type EnginesConfig = {
  /** Whether ADMINs may have agents installed. */
  mayInstall: boolean
  /** A file that describes agents of one's own. */
  agentsFile: string | null
  /** What npm is given of the environment. */
  npmEnvironment: Record<string, string>
}

/** Besides settings of npm itself. */
const passed = /^(?:PATH|HOME|LANG|TMPDIR|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|npm_config_.*)$/i

export function readEngines(read: Reader, env: Readonly<Record<string, string | undefined>>): EnginesConfig {
  // By their names first: whatever is read counts as a setting.
  const own = Object.keys(env).flatMap((name) => (passed.test(name) && env[name] ? [[name, env[name]] as const] : []))
  return {
    mayInstall: !read.boolean('RUNWRIGHT_NO_ENGINE_INSTALLS'),
    agentsFile: read.text('RUNWRIGHT_AGENTS') ?? null,
    npmEnvironment: Object.fromEntries(own),
  }
}
