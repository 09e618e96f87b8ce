import { z } from 'zod'
import { RefusesToBoot } from './errors.ts'
import { onOff } from './variable-values.ts'

const HOST_PORT = String.raw`(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}`
/** Up to sixteen servers `host:port`, comma-separated. */
const hostPorts = z
  .string()
  .regex(new RegExp(`^${HOST_PORT}(?:,${HOST_PORT}){0,15}$`))
  .refine((value) => value.split(',').every((text) => URL.canParse(`redis://${text}`)), 'Must be a list of host:port')

/** Variables that name the Redis of several processes. */
export const redisVariables = {
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe('a Redis, version 7 or newer, that connects several processes on one database'),
  REDIS_CLUSTER: onOff.default('off').describe('`on`: `REDIS_URL` is one node of a Redis Cluster'),
  REDIS_SENTINELS: hostPorts
    .optional()
    .describe(
      'up to 16 Redis Sentinels that say which Redis to use, `host:port`, comma-separated; `REDIS_URL` then gives ' +
        'only the login, the database and the TLS parameters, and can be left out',
    ),
  REDIS_MASTER: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('name under which `REDIS_SENTINELS` watch the Redis'),
  REDIS_SENTINEL_PASSWORD: z.string().min(1).optional().describe('password of `REDIS_SENTINELS`, if they have one'),
}

interface Redis {
  REDIS_CLUSTER: 'on' | 'off'
  REDIS_SENTINELS?: string
}

/** @throws RefusesToBoot if variables contradict each other */
export function demandRedis({ REDIS_CLUSTER, REDIS_SENTINELS }: Redis): void {
  if (REDIS_SENTINELS !== undefined && REDIS_CLUSTER === 'on')
    throw new RefusesToBoot('REDIS_SENTINELS is not usable with REDIS_CLUSTER=on: a cluster fails over by itself.')
}
