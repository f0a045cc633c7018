import { useState } from 'react'

/** Whether it has been so at any time since the component is there. */
export function useHasBeen(is: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(is)
  if (is && !hasBeen) setHasBeen(true)
  return is || hasBeen
}
