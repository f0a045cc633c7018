import { readlinkSync } from 'node:fs'
import { isRunning, recordOf, type ProcessRecord } from './process-record.ts'

/** Which service something belongs to, as it is written down for whoever finds it. */
export type ServiceRecord = ProcessRecord & { namespace: string }

export const ownRecord = (): ServiceRecord => ({ ...recordOf(process.pid), namespace: ownNamespace() })

/** False also for one of another namespace: its number says nothing here. */
export const isServiceGone = ({ namespace, ...record }: ServiceRecord): boolean =>
  namespace === ownNamespace() && !isRunning(record)

export const isOwn = ({ namespace, pid }: ServiceRecord): boolean => namespace === ownNamespace() && pid === process.pid

export function readServiceRecord(text = '{}'): ServiceRecord {
  try {
    return asServiceRecord(JSON.parse(text) as Partial<ServiceRecord>)
  } catch {
    return asServiceRecord({})
  }
}

const none: ServiceRecord = { pid: 0, startTime: '', boot: '', namespace: '' }

/** What is missing in it fits nobody. */
export const asServiceRecord = (known: Partial<ServiceRecord> | undefined): ServiceRecord => ({ ...none, ...known })

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
