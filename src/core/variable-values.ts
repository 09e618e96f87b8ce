import { z } from 'zod'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Schemas of environment variables: numbers, ports, paths, switches, comma-separated lists, lists of addresses. */
export const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max))
export const port = whole(0, 65_535)
export const path = z.string().min(1)
export const onOff = z.enum(['on', 'off'])
export const offPreferred = z.enum(['off', 'preferred'])
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

/** A URL that receives secrets. */
export const secureUrl = z
  .url({ protocol: /^https?$/ })
  .max(512)
  .refine((value) => {
    const { protocol, hostname, search, hash, username } = new URL(value)
    return (protocol === 'https:' || LOOPBACK.test(hostname)) && search + hash + username === ''
  }, 'Must be https, or http on this machine itself, without a query')
