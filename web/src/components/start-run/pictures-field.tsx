import { useState, type ReactElement } from 'react'
import { ImageChips } from './image-chips.tsx'
import type { RunOptions } from './options.ts'
import { imageTypes, readImages } from './read-images.ts'

type Props = { images: RunOptions['images']; onChange: (images: RunOptions['images']) => void }

/** Images that the agent sees with the prompt. */
export function PicturesField({ images, onChange }: Props): ReactElement {
  const [fault, setFault] = useState<string | null>(null)
  const add = async (files: FileList | null) => {
    const read = await readImages(files ?? [])
    setFault(read.fault)
    onChange([...images, ...read.images])
  }
  return (
    <div className="field">
      <label className="label" htmlFor="pictures">
        Images
      </label>
      <input
        id="pictures"
        type="file"
        multiple
        accept={imageTypes.join(',')}
        onChange={(event) => void add(event.target.files)}
      />
      {fault && <p className="error">{fault}</p>}
      <p className="hint">You can also paste or drop images into the task.</p>
      <div className="check-line">
        <ImageChips images={images} onChange={onChange} />
      </div>
    </div>
  )
}
