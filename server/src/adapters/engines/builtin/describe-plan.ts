import type { JsonObject } from '#base/json.ts'

/** A plan as the person sees it who is to approve it. */
export function describePlan(output: JsonObject): string {
  const {
    steps = [],
    reason,
    files = [],
    risks = [],
  } = output as {
    steps?: { text: string }[]
    reason?: string
    files?: string[]
    risks?: string[]
  }
  const list = (title: string, items: string[]) =>
    items.length > 0 ? [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`] : []
  return [
    ...(reason ? [reason] : []),
    steps.map(({ text }, index) => `${index + 1}. ${text}`).join('\n'),
    ...list('Files', files),
    ...list('Risks', risks),
  ].join('\n\n')
}
