import { existsSync } from 'node:fs'
import path from 'node:path'
import { loaders } from '#adapters/sandboxes/closed-agent.ts'
import { probeLimits } from '#adapters/sandboxes/look-inside.ts'
import type { Engine, Image } from './engine.ts'
import { labelsOf } from './container-labels.ts'
import { hardened, type Hardening } from './container-options.ts'
import { hasOwnKernel } from './enforcement-of.ts'
import { writeOnce } from './write-once.ts'

const LOADER_BYTES_MAX = 4 * 1024 * 1024
const READ_MS_MAX = 20_000
/** To be run and not to be read: what it starts is closed to others of its user. */
const RUN_ONLY = 0o111
const RUN_AND_READ = 0o555

type LoaderOf = { folder: string; engine: Engine; hardening: Hardening; image: Image }

/** The image's dynamic loader, as a file of this machine. It is read once for each image, by a container of its own. */
export async function loaderOf({ folder, engine, hardening, image }: LoaderOf): Promise<string> {
  // gVisor runs no program that may not be read. There the agent is open to its commands.
  const isOpen = hasOwnKernel(hardening)
  const file = path.join(folder, `.loader-${isOpen ? 'open-' : ''}${image.id.replace(/^sha256:/, '').slice(0, 32)}`)
  if (existsSync(file)) return file
  const loader = loaders[process.arch]
  if (loader === undefined) throw new Error(`Containers cannot be used on a processor of kind ${process.arch}.`)
  const content = await readFrom(engine, {
    ...hardened(hardening, probeLimits),
    Image: image.id,
    Labels: labelsOf({ folder, id: '', lifetimeMs: READ_MS_MAX }),
    Entrypoint: ['/bin/cat', loader],
  })
  if (!content.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')))
    throw new Error(
      `The image ${image.name} has no ${loader}: use one with glibc, such as those of Debian, Ubuntu or Fedora. Alpine has another library.`,
    )
  return writeOnce(file, content, isOpen ? RUN_AND_READ : RUN_ONLY)
}

async function readFrom(engine: Engine, options: Parameters<Engine['start']>[0]): Promise<Buffer> {
  const { id, main } = await engine.start(options)
  const timer = setTimeout(() => void engine.remove(id).catch(() => {}), READ_MS_MAX)
  try {
    main.stderr.resume()
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of main.stdout as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > LOADER_BYTES_MAX) break
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } finally {
    clearTimeout(timer)
    for (const pipe of main.stdio) pipe.destroy()
    await engine.remove(id).catch(() => {})
  }
}
