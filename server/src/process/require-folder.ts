import { access, constants, mkdir } from 'node:fs/promises'

/** Throws a sentence that says what to type where the data folder cannot be written. */
export async function requireFolder(folder: string, { command = 'npm start' } = {}): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new Error(
      `The data folder ${folder} is not writable (${code}). Choose another one: RUNWRIGHT_DATA_DIR=/path/to/folder ${command}`,
      { cause: error },
    )
  }
}
