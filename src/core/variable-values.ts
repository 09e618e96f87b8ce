import { z } from 'zod'

/** Values of environment variables: a switch, a list with commas, and one of addresses or CIDR ranges. */
export const onOff = z.enum(['on', 'off'])
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
export const ranges = list.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
