import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { storeBlob } from '#domain/runs/blobs/store-blob.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { readImage } from './read-image.ts'

type ReadImage = { mediaType: string; bytes: Buffer }

/** The images of a message, given as data URIs. Throws `invalid_request`. */
export function readImages(images: string[] | null | undefined): ReadImage[] {
  return (images ?? []).map(readUri)
}

type StoreImages = { app: Pick<HttpApp, 'blobs'>; db: HttpDb; organizationId: number; images: ReadImage[] }

/** The same, stored; all of them were read before, so that none is stored beside one that is refused. */
export async function storeImages({ app, db, organizationId, images }: StoreImages) {
  return Promise.all(
    images.map(async ({ mediaType, bytes }) => ({
      mediaType,
      ...(await storeBlob(db, app.blobs, { organizationId, bytes, kind: 'images' })),
    })),
  )
}

function readUri(uri: string, index: number): ReadImage {
  const comma = uri.indexOf(',')
  if (!/^data:image\/[\w.+-]+;base64$/i.test(uri.slice(0, Math.max(0, comma))))
    throw refused(index, 'must be a data URI of an image in base64', 'format')
  const text = uri.slice(comma + 1)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw refused(index, 'is not valid base64', 'format')
  if (bytes.length > limits.imageBytesMax)
    throw refused(index, `is larger than ${limits.imageBytesMax / 2 ** 20} MiB`, 'size')
  // What the bytes are counts, not what is said of them: providers look at the bytes too.
  const image = readImage(bytes)
  if (!image) throw refused(index, 'must be a PNG, JPEG, GIF or WebP image', 'format')
  // A picture of few bytes may unfold to more than anybody has room for.
  const side = limits.imagePixelsPerSideMax
  if (Math.max(image.width, image.height) > side)
    throw refused(index, `is ${image.width} x ${image.height} pixels large, of which a side may have ${side}`, 'size')
  return { mediaType: image.mediaType, bytes }
}

function refused(index: number, msg: string, type: string): AppError {
  return new AppError('invalid_request', {
    message: `body.images.${index} ${msg}.`,
    detail: [{ loc: ['body', 'images', index], msg, type }],
  })
}
