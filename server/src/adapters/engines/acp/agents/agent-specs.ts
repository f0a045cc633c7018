import type { AgentSpec } from './agent-spec.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

/** The agents that an operator can install. */
export const agentSpecs: readonly AgentSpec[] = [claudeCode, codex, gemini, opencode]
