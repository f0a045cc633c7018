/**
 * Sandboxes by bubblewrap: namespaces without root and without an image. One sandbox is one bubblewrap with the exec
 * agent inside; the system's own programs are what agents work with.
 */
import path from 'node:path'
import { readLoader } from './closed-agent.ts'
import { findControlGroups } from './control-groups.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import { enforcementOf, launchBubblewrap, type BubblewrapSetting } from './launch-bubblewrap.ts'
import { openMeter, type Meter } from './meter.ts'
import { openLocalProvider } from './local-provider.ts'
import { ownerFor } from './owner-for.ts'
import { probeBubblewrap } from './probe-bubblewrap.ts'
import type { OnTrouble, SandboxProvider } from './sandbox.ts'

export type BubblewrapOptions = {
  /** Whether the kernel holds the size of each one's files. Only root can have it do so. */
  hasDisks?: boolean
  /** Where sandboxes' files lie. */
  folder: string
  /** Whose they are when the service is root; never 0. */
  uid?: number
  /** The program. */
  bubblewrap?: string
  onTrouble?: OnTrouble
  /** Looks at what they use. */
  meter?: Meter
}

export function openBubblewrap(options: BubblewrapOptions): SandboxProvider {
  const setting: BubblewrapSetting = {
    folder: options.folder,
    bubblewrap: options.bubblewrap ?? '/usr/bin/bwrap',
    owner: ownerFor(options.uid),
    hasDisks: options.hasDisks ?? false,
    groups: findControlGroups(path.resolve(options.folder)),
    loader: readLoader(),
    inherited: inheritedDescriptors(),
  }
  const local = openLocalProvider(options.folder, {
    owner: setting.owner,
    hasDisks: setting.hasDisks,
    launch: (files, spec) => launchBubblewrap(setting, files, spec),
    sweep: async ({ id }) => setting.groups?.sweep(id),
    listOutside: () => setting.groups?.list() ?? [],
    onTrouble: options.onTrouble,
    meter: options.meter ?? openMeter(),
    diskReader: diskReader(setting),
  })
  const enforcement = enforcementOf(setting)
  return { name: 'bubblewrap', enforcement, ...local, probe: () => probeBubblewrap(setting, local) }
}

/**
 * A folder that its owner has closed to himself is closed to our own user too, who is the same. In a namespace where that
 * user may read everything of his, nothing is hidden from him.
 */
function diskReader({ bubblewrap, owner }: BubblewrapSetting): string[] {
  if (owner) return []
  const asReader = ['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'CAP_DAC_READ_SEARCH']
  return [bubblewrap, ...asReader, '--dev-bind', '/', '/', '--die-with-parent', '--']
}
