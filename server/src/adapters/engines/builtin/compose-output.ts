import type { ToolResult } from './tools/tool.ts'

/** A tool's result as a model is sent it. */
export function composeOutput({ text, isError, image }: ToolResult) {
  if (isError) return { type: 'error-text' as const, value: text }
  if (!image) return { type: 'text' as const, value: text }
  const data = { type: 'data' as const, data: image.base64 }
  return {
    type: 'content' as const,
    value: [
      { type: 'text' as const, text },
      { type: 'file' as const, mediaType: image.mediaType, data },
    ],
  }
}
