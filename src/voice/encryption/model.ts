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
