import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { TextField } from '#ui/text-field.tsx'
import { readObject } from './options.ts'

/** How long nothing is typed before the service is asked. */
const restMs = 400

type Props = { organizationId: number; value: string; onChange: (value: string) => void }

/** Checked as it is typed: here whether it is JSON, and by the service whether it is a schema that it takes. */
export function SchemaField({ organizationId, value, onChange }: Props): ReactElement {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  const schema = readObject(rested)
  const { error, isSuccess } = useQuery({
    queryKey: ['schema', organizationId, rested],
    queryFn: () => client.runs.dryRun({ org_id: organizationId, prompt: 'Is this a schema?', output_schema: schema }),
    enabled: schema !== null,
    retry: false,
  })
  const fault = value.trim() && !readObject(value) ? whyNoObject(value) : value === rested ? error?.message : undefined
  return (
    <TextField
      label="Output JSON Schema"
      hint={
        isSuccess && value === rested && !fault
          ? 'The schema is valid.'
          : 'The answer is also returned as data that fits it.'
      }
      isLong
      value={value}
      error={fault}
      onChange={onChange}
    />
  )
}

function whyNoObject(text: string): string {
  try {
    JSON.parse(text)
    return 'Enter a JSON object.'
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`
  }
}
