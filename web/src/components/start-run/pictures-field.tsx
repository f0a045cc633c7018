import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { RunOptions } from './options.ts'

type Images = RunOptions['images']

/** Pictures that the agent sees with the prompt. */
export function PicturesField({
  images,
  onChange,
}: {
  images: Images
  onChange: (images: Images) => void
}): ReactElement {
  const add = async (files: FileList | null) => {
    const read = await Promise.all(
      [...(files ?? [])].map(async (file) => ({ name: file.name, data: await dataUri(file) })),
    )
    onChange([...images, ...read])
  }
  return (
    <div className="field">
      <label className="label" htmlFor="pictures">
        Pictures
      </label>
      <input
        id="pictures"
        type="file"
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(event) => void add(event.target.files)}
      />
      {images.map(({ name }, n) => (
        <div key={`${name}${String(n)}`} className="flex items-center gap-2 text-xs">
          <Icon name="image" size={14} />
          <span className="min-w-0 truncate flex-1">{name}</span>
          <Button look="ghost sm" onClick={() => onChange(images.toSpliced(n, 1))}>
            Leave out
          </Button>
        </div>
      ))}
    </div>
  )
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })
}
