import { toast } from './toasts.tsx'

export async function copyText(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  toast(said)
}
