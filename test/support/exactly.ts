import { z } from 'zod'

/** The value matches the schema and has no other fields. */
export function expectExactly(schema: z.ZodType, value: unknown, where: string): void {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Error(`${where} breaks its schema: ${z.prettifyError(parsed.error)}`)
  if (!Bun.deepEquals(parsed.data, value)) {
    throw new Error(`${where} says more than its schema: ${JSON.stringify(value)}`)
  }
}
