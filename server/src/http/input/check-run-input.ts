import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'

/** Sizes that a schema cannot say, because they count bytes. Throws `prompt_too_long`. */
export function checkPrompt(prompt: string): void {
  checkText('prompt', prompt)
}

/** The same for other words of people to an agent. */
export function checkText(field: string, text: string): void {
  if (Buffer.byteLength(text) > limits.promptBytesMax) {
    throw new AppError('prompt_too_long', {
      detail: [{ loc: ['body', field], msg: 'is longer than 256 KiB', type: 'size' }],
    })
  }
}

/** Throws `metadata_too_large`. */
export function checkMetadata(metadata: object): void {
  const isTooDeep = depthOf(metadata) > limits.metadataDepthMax
  if (isTooDeep || Buffer.byteLength(JSON.stringify(metadata)) > limits.metadataBytesMax) {
    const msg = isTooDeep ? 'is nested deeper than 8 levels' : 'is larger than 16 KiB'
    throw new AppError('metadata_too_large', {
      detail: [{ loc: ['body', 'metadata'], msg, type: isTooDeep ? 'depth' : 'size' }],
    })
  }
}

/** The outermost object counts as 1. */
function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Object.values(value).reduce<number>((deepest, item) => Math.max(deepest, depthOf(item)), 0)
}

/** Only images make a body larger than others may be. Throws `body_too_large`. */
export function checkBodyWithoutImages(body: object): void {
  const { images: _, ...rest } = body as { images?: unknown }
  if (Buffer.byteLength(JSON.stringify(rest)) > limits.bodyBytesMax) throw new AppError('body_too_large')
}
