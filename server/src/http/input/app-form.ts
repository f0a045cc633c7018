import type { SecretBox } from '#base/secrets/secret-box.ts'

/** A GitHub App that somebody has begun to make in a browser. */
export type AppForm = { organizationId: number; userId: number; key: string; baseUrl: string | null; endsAtMs: number }

const place = ['app form']

/** Sealed, so that the server keeps nothing of it and nobody else can make one. */
export function sealAppForm(box: SecretBox, form: AppForm): string {
  return box.seal(Buffer.from(JSON.stringify(form)), place).toString('base64url')
}

/** Undefined for a forged one, one of somebody else's, and an old one. */
export function openAppForm(
  box: SecretBox,
  { state, organizationId, userId, now }: Pick<AppForm, 'organizationId' | 'userId'> & { state: string; now: Date },
): AppForm | undefined {
  const opened = box.open(Buffer.from(state, 'base64url'), place)
  if (!opened) return undefined
  const form = JSON.parse(opened.toString()) as AppForm
  const isTheirs = form.organizationId === organizationId && form.userId === userId
  return isTheirs && now.getTime() < form.endsAtMs ? form : undefined
}
