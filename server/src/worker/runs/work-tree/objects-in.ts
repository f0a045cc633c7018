import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'

/** The name of the mount that shows the repository's objects inside a sandbox. */
export const objectsMount = 'objects'

/** Where the repository's objects lie, as commands in the sandbox see it. */
export const objectsIn = ({ paths }: Sandbox): string => paths.mounts[objectsMount] ?? ''
