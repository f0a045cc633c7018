import type { NodeFault } from '#domain/runs/workers/node-fault.ts'

/** What a look at the machine found: this keeps it from working at runs. The message is for its operator. */
export class NodeUnfit extends Error {
  override readonly name = 'NodeUnfit'
  readonly fault: NodeFault
  constructor(fault: NodeFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.fault = fault
  }
}
