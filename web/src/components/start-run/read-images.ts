import type { RunOptions } from './options.ts'

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** What the API takes of one. */
const bytesMax = 5 * 1_024 * 1_024

type Images = RunOptions['images']

/** Those that the API takes, as data, and what is wrong with the others. */
export async function readImages(all: File[]): Promise<{ images: Images; fault: string | null }> {
  const wrong = all.find(({ type, size }) => !imageTypes.includes(type) || size > bytesMax)
  const fine = all.filter(({ type, size }) => imageTypes.includes(type) && size <= bytesMax)
  const read = await Promise.all(fine.map(readImage))
  const gone = fine.find((_, n) => read[n] === null)
  const fault = wrong ? whyNot(wrong) : gone ? `${gone.name} could not be read.` : null
  return { images: read.filter((image) => image !== null), fault }
}

const whyNot = ({ name, type }: File): string =>
  imageTypes.includes(type) ? `${name} is larger than 5 MiB.` : `${name} is not an image. Use PNG, JPEG, GIF, or WebP.`

/** Null where it is gone meanwhile. */
const readImage = (file: File): Promise<Images[number] | null> =>
  dataUri(file).then(
    (data) => ({ name: file.name || 'image', data }),
    () => null,
  )

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })
}
