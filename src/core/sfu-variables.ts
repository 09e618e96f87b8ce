import { resolve } from 'node:path'
import { z } from 'zod'
import { onOff, path, port, whole } from './variable-values.ts'

/** The variables of the SFU. */
export const sfuVariables = {
  MEDIA_WORKER: onOff.default('on').describe('`off`: no SFU; nothing is downloaded, installed or built for one'),
  MEDIASOUP_WORKER_BIN: path.optional().describe('path of the mediasoup-worker to run'),
  MEDIA_WORKER_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com/versatica/mediasoup/releases/download')
    .describe('where prebuilt workers are downloaded from: mediasoup’s releases, or a mirror of them'),
  MEDIA_DIR: path
    .transform((dir) => resolve(dir))
    .optional()
    .describe('directory for the downloaded or built worker; without it `media` in `DATA_DIR`'),
  SFU_WORKERS: whole(1, 64).default(1).describe('worker processes of the SFU, each on its own port'),
  SFU_PEERS_PER_WORKER: whole(1, 10_000)
    .default(100)
    .describe('members of a call who receive from one worker; with `SFU_WORKERS` above 1, others use further workers'),
  SFU_PORT: port.default(20_000).describe('first port of the SFU, UDP and TCP; `0` takes free ones'),
  SFU_ANNOUNCED_ADDRESS: z
    .union([z.ipv4(), z.ipv6(), z.hostname()])
    .optional()
    .describe('public address or host name of the SFU, where no network interface of this machine has it'),
  SFU_LINK_ADDRESS: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe(
      'address of this machine where other processes of the installation reach its SFU, UDP 10000–59999;' +
        ' without it a private address of this machine, else loopback',
    ),
}
