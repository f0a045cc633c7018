import { Type } from 'typebox'
import { AnyJson, AnyObject, Component, RefTo } from './fields.ts'

const ToolBody = Component('Tool', {
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  parameters: AnyObject({ description: 'JSON Schema of its arguments.' }),
})

const ToolList = Component('ToolList', {
  tools: Type.Array(RefTo(ToolBody)),
  total_count: Type.Integer({ minimum: 0 }),
})

const ToolResult = Component('ToolResult', {
  tool_name: Type.String(),
  result: AnyJson({ description: 'What the endpoint of the tool answers.' }),
})

export const toolComponents = [ToolBody, ToolList, ToolResult]
