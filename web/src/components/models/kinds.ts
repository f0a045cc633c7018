import type { ModelProvider } from '@runwright/sdk'

/** The APIs of model providers, by their names. */
export const kinds: readonly (readonly [ModelProvider['kind'], string])[] = [
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI (responses)'],
  ['openai_chat', 'OpenAI-compatible (chat completions)'],
  ['google', 'Google Gemini'],
]
