/** A list of runs that a person has given a name. */
export type View = {
  id: number
  name: string
  /** As after the question mark in the address of the web UI's list of runs. */
  query: string
}
