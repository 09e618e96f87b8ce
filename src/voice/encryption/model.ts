import { z } from 'zod'
import { ephemeral } from '../../core/events.ts'
import { Id } from '../../core/schema.ts'
import { DeviceKey } from '../../features/sessions/model.ts'
import { VoiceSessionId } from '../session-id.ts'

/** Members of an encrypted call: the welcome of a larger group does not fit a frame. */
export const ENCRYPTED_PEERS_MAX = 64
/** Maximum length of a key package in base64. */
export const KEY_PACKAGE_CHARACTERS_MAX = 4 * 1024
/** Maximum length of a commit or a welcome in base64. The limit of frames bounds both together. */
const MESSAGE_CHARACTERS_MAX = 56 * 1024

/** Changes of an account's device log that are kept; a client that remembers an earlier state cannot check it. */
export const DEVICE_CHANGES_KEPT = 1_000
/** Devices that an account may add in 24 hours, so that nobody makes others' clients lose track of the log. */
export const DEVICES_ADDED_PER_DAY_MAX = 100
/** Devices of an account, because every head is made from all of them; beyond it, one has to be logged out first. */
export const DEVICES_MAX = 200
/** Changes in one answer, of all accounts together; beyond it, accounts are left out, but never the first. */
export const DEVICE_CHANGES_ANSWERED_MAX = 2_000

const GroupId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe('the group: a call gets another one when it is encrypted anew')
  .meta({ example: '7c211433f02071597741e6ff5a8ea34d' })

/** State of a call's end-to-end encryption. */
export const Encryption = z.object({
  state: z
    .enum(['off', 'open', 'sealed'])
    .describe('off: this installation encrypts no call; open: not encrypted, for a reason; sealed: encrypted'),
  group: GroupId.nullable().describe('null unless sealed'),
  reason: z
    .enum(['server', 'member', 'size'])
    .optional()
    .describe('why the call is open: by the setting of the server, for a member who cannot, or for its size'),
})
export type Encryption = z.infer<typeof Encryption>

const Data = z.base64().max(MESSAGE_CHARACTERS_MAX).meta({ example: 'AAEABQ==' })
const Epoch = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const MlsMessage = z
  .strictObject({
    group: GroupId,
    epoch: Epoch.describe('the epoch that a commit ends; 0 for a key package'),
    kind: z.enum(['key_package', 'commit']),
    data: Data.describe('an MLS message (RFC 9420) in base64'),
    welcome: Data.optional().describe('with a commit that adds members'),
    added: z.array(VoiceSessionId).max(ENCRYPTED_PEERS_MAX).default([]).describe('members that the welcome is for'),
  })
  .refine(({ kind, data }) => kind === 'commit' || data.length <= KEY_PACKAGE_CHARACTERS_MAX, {
    path: ['data'],
    message: `A key package has at most ${KEY_PACKAGE_CHARACTERS_MAX} characters`,
  })

const LogLength = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const LogHead = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef' })

/** The log of an account's devices: a chain of hashes. */
const DeviceLog = z.object({
  user_id: Id,
  length: LogLength.describe('changes so far'),
  head: LogHead.describe('SHA-256 of `previous`, the account, `length` and `keys`; zeros if the log is empty'),
  previous: LogHead.describe('the head before the last change; zeros if there was none'),
  keys: z.array(DeviceKey).describe('the devices after the last change, in ascending order'),
  changes: z
    .array(z.object({ kind: z.enum(['added', 'removed']), key: DeviceKey }))
    .describe('the changes above `after`, oldest first, as far as they are kept; empty without `after`'),
})

export const deviceKeyCommands = {
  'voice.device_key': {
    d: z.strictObject({ key: DeviceKey }),
    answer: z.strictObject({}),
    summary:
      'Register the key by which this device confirms its part in encrypted calls; replaces the former one of your' +
      ' session, and ends with the session',
  },
  'voice.device_keys': {
    d: z.strictObject({ user_ids: z.array(Id).min(1).max(ENCRYPTED_PEERS_MAX) }),
    answer: z.object({
      accounts: z
        .array(z.object({ user_id: Id, keys: z.array(DeviceKey) }))
        .describe('of accounts that share a server, dm or group with you; in the order of their ids'),
    }),
    summary: 'Read the device keys of accounts, with which a client checks the members of an encrypted call',
  },
  'voice.device_logs': {
    d: z.strictObject({
      accounts: z
        .array(
          z.strictObject({
            user_id: Id,
            after: LogLength.optional().describe('the length that this client remembers'),
          }),
        )
        .min(1)
        .max(ENCRYPTED_PEERS_MAX)
        .refine((accounts) => new Set(accounts.map(({ user_id }) => user_id)).size === accounts.length, {
          message: 'Each account can be named once',
        }),
    }),
    answer: z.object({
      accounts: z
        .array(DeviceLog)
        .describe('of accounts that share a server, dm or group with you; in the order of their ids'),
      left_out: z.array(Id).describe('accounts to ask about again, because the answer would be too large'),
    }),
    summary:
      'Read the logs of the devices of accounts, each a chain of hashes: a client that remembers the head of a log' +
      ' notices when the server changes its past',
  },
} as const

export const mlsCommands = {
  'voice.mls': {
    d: MlsMessage,
    answer: z.object({
      accepted: z.boolean().describe('false: another commit was the first of its epoch, or the group is gone'),
      founder: z.boolean().describe('true: this member is the first, and founds the group'),
    }),
    summary: "Send a key package or a commit to the MLS group of an encrypted call; an epoch's first commit counts",
  },
} as const

export const mlsEvents = {
  'voice.mls': ephemeral(
    z.object({
      group: GroupId,
      epoch: Epoch,
      kind: z.enum(['key_package', 'commit', 'welcome']),
      from: VoiceSessionId,
      data: z.base64().meta({ example: 'AAEABQ==' }),
    }),
    'members of the group; a welcome, the member that a commit has added',
  ),
  'voice.encryption': ephemeral(
    Encryption.extend({ channel_id: Id }),
    "the room's members, before a member who cannot encrypt hears anything",
  ),
}
