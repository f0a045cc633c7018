import type { PricedModel } from './price-usage.ts'

/** Why a run with a limit in money cannot ask this model, and who may change that. */
export function describeUnpriced({ provider, id, name = `${provider}/${id}` }: PricedModel): string {
  const who = `Whoever runs the service sets RUNWRIGHT_MODEL_PRICES, such as ${name}=0.5/1.5 for USD per million tokens in and out, or 0/0 for a model of one's own.`
  return `No price is known for ${name}, and this run has a limit in money. ${who} The price of an organization's own model provider is set with that provider.`
}
