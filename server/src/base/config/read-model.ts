import type { ModelConfig, ModelPrices, ProviderConfig } from '#base/models/model-config.ts'
import { secretOf, type Reader } from './open-reader.ts'

export function readModel(read: Reader): ModelConfig {
  const webUrl = (name: string) => read.url(name, ['http:', 'https:'])
  const provider = (keyName: string, urlName: string): ProviderConfig | undefined => {
    const [apiKey, baseUrl] = [secretOf(read.text(keyName)), webUrl(urlName)]
    return apiKey ? { apiKey, baseUrl } : undefined
  }
  const openai = { apiKey: secretOf(read.text('OPENAI_API_KEY')) ?? undefined, baseUrl: webUrl('OPENAI_BASE_URL') }
  const models = (name: string) =>
    read.text(name)
      ? read.list(name, {
          separator: ',',
          isValid: (item) => /^(?:anthropic|openai|google)\/\S+$/.test(item),
          expected: 'models with "," between them, such as anthropic/claude-opus-5 or openai/*',
        })
      : undefined
  // A server of one's own seldom speaks OpenAI's newer wire.
  const wire = read.word('OPENAI_WIRE', ['responses', 'chat'] as const) ?? (openai.baseUrl ? 'chat' : 'responses')
  return {
    anthropic: provider('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
    openai: openai.apiKey || openai.baseUrl ? { ...openai, wire } : undefined,
    google: provider('GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_BASE_URL'),
    defaultModels: read.list('RUNWRIGHT_MODEL', {
      separator: ',',
      isValid: (item) => !/\s/.test(item),
      expected: 'models with "," between them, such as anthropic/claude-opus-5,openai/gpt-5.6',
    }),
    allowed: models('RUNWRIGHT_MODELS'),
    vision: models('RUNWRIGHT_VISION_MODELS'),
    stepsMax: read.number('RUNWRIGHT_MODEL_CALLS', { min: 1, max: 20_000, otherwise: 1_000 }),
    prices: read
      .list('RUNWRIGHT_MODEL_PRICES', {
        separator: ',',
        isValid: (item) => parsePrice(item) !== undefined,
        expected:
          'models with the price of a million tokens in and out, in USD, such as openai/qwen3=0.2/0.8 or openai/*=0/0',
      })
      .flatMap((item) => parsePrice(item) ?? []),
  }
}

function parsePrice(item: string): ModelPrices[number] | undefined {
  const [, model, input, output] =
    /^((?:anthropic|openai|google)\/[^\s=]+)=(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(item) ?? []
  return model === undefined ? undefined : { model, inputUsd: Number(input), outputUsd: Number(output) }
}
