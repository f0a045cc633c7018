import type { RunOptions } from './options.ts'

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** What the API takes of one. */
const bytesMax = 5 * 1_024 * 1_024

type Images = RunOptions['images']

/** Those that the API takes, as data, and what is wrong with the others. */
export async function readImages(files: Iterable<File>): Promise<{ images: Images; fault: string | null }> {
  const all = [...files]
  const wrong = all.find(({ type, size }) => !imageTypes.includes(type) || size > bytesMax)
  const fine = all.filter(({ type, size }) => imageTypes.includes(type) && size <= bytesMax)
  const images = await Promise.all(
    fine.map(async (file) => ({ name: file.name || 'image', data: await dataUri(file) })),
  )
  return { images, fault: wrong ? whyNot(wrong) : null }
}

const whyNot = ({ name, type }: File): string =>
  imageTypes.includes(type) ? `${name} is larger than 5 MiB.` : `${name} is not an image. Use PNG, JPEG, GIF, or WebP.`

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })
}
