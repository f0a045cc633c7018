import { toast } from './toasts.tsx'

export async function copyText(text: string, output: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  toast(output)
}
