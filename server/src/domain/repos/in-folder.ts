import { quoteWord } from '#base/quote-word.ts'
/**
 * A check's command, to be run in a folder of its work tree. Where the commit has no such folder there is nothing to do; where
 * the work tree leaves it out, nobody knows, and it fails.
 */
export function inFolder(path: string, command: string): string {
  const folder = quoteWord(path)
  const isLeftOut = `if git cat-file -e HEAD:${folder} 2> /dev/null; then echo 'This work tree leaves out' ${folder}; exit 1; fi`
  return `cd ${folder} 2> /dev/null || { ${isLeftOut}; exit 0; }\n${command}`
}

/** A setup command, to be run in a folder where the work tree has it. */
export const inFolderIfThere = (path: string, command: string): string =>
  `cd ${quoteWord(path)} 2> /dev/null || exit 0\n${command}`
