import { useId, type ReactElement } from 'react'
import { ImageChips } from './image-chips.tsx'
import type { RunOptions } from './options.ts'
import { imageTypes } from './read-images.ts'

type Props = {
  images: RunOptions['images']
  fault: string | null
  onFiles: (files: File[]) => void
  onChange: (images: RunOptions['images']) => void
}

/** Images that the agent sees with the prompt. */
export function PicturesField({ images, fault, onFiles, onChange }: Props): ReactElement {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Images
      </label>
      <input
        id={id}
        type="file"
        multiple
        accept={imageTypes.join(',')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again after it was removed.
          target.value = ''
        }}
      />
      {fault && <p className="error">{fault}</p>}
      <p className="hint">You can also paste or drop images into the task.</p>
      <div className="check-line">
        <ImageChips images={images} onChange={onChange} />
      </div>
    </div>
  )
}
