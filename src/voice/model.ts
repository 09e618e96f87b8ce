import { z } from 'zod'
import { ephemeral, type Payloads } from '../core/events.ts'
import { Id, PublicUser, Time } from '../core/schema.ts'
import { PlayedSound } from '../features/sounds/model.ts'
import { IceServer } from '../turn/model.ts'
import { VoiceSessionId } from './session-id.ts'
import { routerFields, sfuCommands, sfuEvents } from './sfu/model.ts'
import { stageCommands } from './stages/model.ts'
import { deviceKeyCommands, Encryption, mlsCommands, mlsEvents } from './encryption/model.ts'

export type { Encryption } from './encryption/model.ts'
export { SfuTest, SfuTestDraft } from './sfu/model.ts'

/** Largest frame of a voice.description: its SDP, with JSON's escapes at line ends. */
export const VOICE_FRAME_BYTES_MAX = 64 * 1024
export const SDP_BYTES_MAX = 48 * 1024
export const CANDIDATE_BYTES_MAX = 2 * 1024
/** Candidates trickle, one per frame, and every connection sends reports. */
export const VOICE_COMMANDS_PER_MINUTE_MAX = 1200
/** Time that a seat survives after its socket died. */
export const SEAT_SECONDS = 30
/** Signalling queued for a seat whose socket is gone or reads too slowly. */
export const WAITING_BYTES_MAX = 256 * 1024

export const Route = z.enum(['p2p', 'sfu'])
export const RouteReason = z.enum([
  'size',
  'screen',
  'camera',
  'relay_only',
  'silenced',
  'no_path',
  'path_lost',
  'no_audio',
  'calm',
  'sfu_gone',
  'stage',
])
const Epoch = z.int().min(1).describe("raised with every change of the room's route; what carries another is dropped")

/** An account's part in a stage. */
export const StageState = z
  .object({
    speaks: z.boolean().describe('false for a listener, who sends nothing'),
    raised_at: Time.nullable().describe('when the listener raised its hand; null: it is down'),
    invited_at: Time.nullable().describe('when a moderator invited the listener to speak, who has not answered yet'),
  })
  .meta({ title: 'StageState' })
export type StageState = z.infer<typeof StageState>

const StagePart = StageState.optional().describe('only in a stage')

export const VoiceState = z
  .object({
    user: PublicUser,
    server_id: Id.nullable().describe('null in a dm or group'),
    channel_id: Id,
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
    server_mute: z.boolean().describe('a moderator has muted this member in the server'),
    server_deaf: z.boolean().describe('a moderator has deafened this member in the server'),
    sharing_screen: z.boolean(),
    camera: z.boolean().describe('the camera is on'),
    camera_stopped: z.boolean().describe("a moderator has stopped this member's camera in the server"),
    reconnecting: z.boolean().describe('the socket died; the seat is kept for 30 s'),
    joined_at: Time,
    stage: StagePart,
  })
  .meta({ title: 'VoiceState' })
export type VoiceState = z.infer<typeof VoiceState>

export const VoicePeer = z
  .object({
    voice_session_id: VoiceSessionId,
    user: PublicUser,
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
    silenced: z.boolean().describe('must not be heard: muted by a moderator, or without `speak`'),
    server_deaf: z.boolean().describe('a moderator has deafened the member'),
    sharing_screen: z.boolean(),
    camera: z.boolean().describe('the camera is on; pictures of a camera that is off are not to be shown'),
    camera_stopped: z.boolean().describe('a moderator has stopped the camera'),
    reconnecting: z.boolean(),
    stage: StagePart,
  })
  .meta({ title: 'VoicePeer' })
export type VoicePeer = z.infer<typeof VoicePeer>

/** The answer to joining and resuming. */
export const Joined = z.object({
  voice_session_id: VoiceSessionId,
  user_id: Id.describe('your account'),
  channel_id: Id,
  epoch: Epoch,
  route: Route,
  route_reason: RouteReason.optional().describe('why the route is the last one chosen; absent before any was'),
  silenced: z.boolean().describe('you must not be heard: muted by a moderator, or without `speak`'),
  server_deaf: z.boolean().describe('a moderator has deafened you: the server sends you no sound'),
  camera_stopped: z.boolean().describe('a moderator stopped your camera'),
  relay_only: z.boolean().describe('only relay candidates may be offered'),
  encryption: Encryption.optional().describe('absent: off, as servers before 0.17 are'),
  peers: z.array(VoicePeer).describe('the other members; in a stage, its speakers'),
  stage: StagePart.describe('only in a stage: your part'),
  ...routerFields,
  ice_servers: z.array(IceServer).describe('as RTCPeerConnection takes them'),
  limits: z.object({
    p2p_peers_max: z.int(),
    room_peers_max: z.int(),
    sdp_bytes_max: z.int(),
    candidate_bytes_max: z.int(),
  }),
})
export type Joined = z.infer<typeof Joined>

const bytes = (max: number) =>
  z.string().refine((text) => Buffer.byteLength(text) <= max, `Must be at most ${max} bytes long`)

const Description = z.strictObject({
  type: z.enum(['offer', 'answer', 'pranswer', 'rollback']),
  sdp: bytes(SDP_BYTES_MAX),
})
const Candidate = z.strictObject({
  candidate: bytes(CANDIDATE_BYTES_MAX),
  sdpMid: z.string().max(64).nullish(),
  sdpMLineIndex: z.int().min(0).max(255).nullish(),
  usernameFragment: z.string().max(256).nullish(),
})
const to = { to: VoiceSessionId, epoch: Epoch }
const from = { from: VoiceSessionId, epoch: Epoch }
const Empty = z.strictObject({})
const Target = z.strictObject({ server_id: Id, user_id: Id })

const PairState = z.enum(['new', 'connecting', 'connected', 'disconnected', 'failed', 'closed'])
const PairType = z.enum(['host', 'srflx', 'prflx', 'relay', 'unknown'])

/** Argument and answer of each command. Source: docs/voice.md. */
export const voiceCommands = {
  'voice.join': {
    d: z.strictObject({
      channel_id: Id,
      self_mute: z.boolean(),
      self_deaf: z.boolean(),
      relay_only: z.boolean().default(false).describe('show your addresses to nobody'),
      encrypts: z.boolean().optional().describe('this client can encrypt media end to end'),
      accepts_open: z
        .boolean()
        .optional()
        .describe(
          'the person accepts that the call of a dm or group is not encrypted, because this client cannot do it',
        ),
    }),
    answer: Joined,
    summary:
      'Join a voice channel, or the call of a dm or group, where the first to join rings the others;' +
      ' leaves another one, and takes over from another device',
  },
  'voice.leave': { d: Empty, answer: Empty, summary: 'Leave, at once' },
  'voice.resume': {
    d: z.strictObject({ voice_session_id: VoiceSessionId, epoch: Epoch }),
    answer: Joined,
    summary: 'Resume your seat on a new socket; signals sent meanwhile follow',
  },
  'voice.update': {
    d: z
      .strictObject({
        self_mute: z.boolean(),
        self_deaf: z.boolean(),
        sharing_screen: z.boolean(),
        camera: z.boolean(),
      })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'At least one field is required'),
    answer: Empty,
    summary: 'Report whether the member is muted or deafened, shares the screen, or has the camera on',
  },
  'voice.active': {
    d: Empty,
    answer: Empty,
    summary:
      'Report that the member spoke or used the client, at most every 20 s; a member whose client reports,' +
      ' but not for `afk_minutes`, is moved to the AFK channel of the server',
  },
  'voice.sound': {
    d: z.strictObject({ sound_id: Id }),
    answer: Empty,
    summary:
      'Play a sound of the server to everybody in the call, once in 3 s, at most three at once;' +
      ' needs use_soundboard and speak',
  },
  'voice.ice_servers': {
    d: Empty,
    answer: z.object({ ice_servers: z.array(IceServer) }),
    summary: 'Get fresh credentials for the relay',
  },
  'voice.description': {
    d: z.strictObject({ ...to, description: Description }),
    answer: Empty,
    summary: 'Hand a session description to a peer; perfect negotiation, the greater voice_session_id is polite',
  },
  'voice.candidate': {
    d: z.strictObject({ ...to, candidate: Candidate.nullable() }),
    answer: Empty,
    summary: 'Hand an ICE candidate to a peer; null is the end of them',
  },
  'voice.report': {
    d: z.strictObject({
      ...to,
      state: PairState,
      pair_type: PairType.describe("of the local candidate in use; relay when either end's is"),
      rtt_ms: z.number().min(0).max(60_000).nullable(),
      audio_packets: z.int().min(0).describe('received from this peer since the connection began'),
      first_audio_ms: z.int().min(0).max(600_000).optional().describe('from joining to the first sound, said once'),
    }),
    answer: Empty,
    summary:
      'Tell how the connection with a peer of a mesh does, every second or two and at every change of its state;' +
      ' over the SFU, only first_audio_ms',
  },
  'voice.mute_member': {
    d: Target.extend({ mute: z.boolean() }),
    answer: Empty,
    summary: 'Mute a member who stands below you in the voice channels of a server, or lift that; needs mute_members',
  },
  'voice.deafen_member': {
    d: Target.extend({ deafen: z.boolean() }),
    answer: Empty,
    summary:
      'Deafen a member who stands below you in the voice channels of a server, or lift that; needs deafen_members',
  },
  'voice.stop_camera': {
    d: Target.extend({ stop: z.boolean() }),
    answer: Empty,
    summary:
      'Stop the camera of a member who stands below you in the voice channels of a server, or allow it again;' +
      ' needs mute_members',
  },
  'voice.move_member': {
    d: Target.extend({ channel_id: Id }),
    answer: Empty,
    summary: 'Move a member to another voice channel of the server; needs move_members and connect there',
  },
  'voice.disconnect_member': {
    d: Target,
    answer: Empty,
    summary: 'Put a member out of its voice channel; needs move_members',
  },
  ...stageCommands,
  ...mlsCommands,
  ...deviceKeyCommands,
  ...sfuCommands,
} as const

const room = "the room's other members"
const everyone = "the room's members"
const seat = 'the member concerned'
const WHY =
  'taken_over: another device has joined; access: the channel or the right to connect is gone;' +
  ' rejoin: the process that held the room is gone, join again'

/** How many people listen in a stage. */
export const Audience = z.object({ channel_id: Id, listeners: z.int().min(0) }).meta({ title: 'Audience' })
export type Audience = z.infer<typeof Audience>

export const voiceEvents = {
  'voice.state_updated': ephemeral(
    VoiceState.extend({ channel_id: Id.nullable().describe('null: has left; whoever joins another one leaves first') }),
    'members who see the channel; participants of a dm or group; for a listener of a stage, see docs/voice.md',
  ),
  'stage.audience': ephemeral(
    Audience,
    'members who see the stage, some time after its number of listeners has changed',
  ),
  'voice.peer_joined': ephemeral(VoicePeer, room),
  'voice.peer_updated': ephemeral(VoicePeer, `${everyone}, the one concerned too`),
  'voice.sound': ephemeral(
    PlayedSound.extend({ voice_session_id: VoiceSessionId.describe('who plays it') }),
    `${everyone}, the one who plays it too: each client plays the file`,
  ),
  'voice.peer_left': ephemeral(
    z.object({ voice_session_id: VoiceSessionId }),
    `${room}; the one who leaves too when it joins another room: what follows concerns that one`,
  ),
  'voice.route': ephemeral(
    z.object({
      route: Route,
      epoch: Epoch,
      reason: RouteReason.describe('calm: nothing speaks for the SFU any more; sfu_gone: there is none'),
      ...routerFields,
    }),
    `${everyone}: build the new way up, then take the old one down`,
  ),
  'voice.sfu.reset': ephemeral(
    z.object({
      epoch: Epoch,
      direction: z
        .literal('recv')
        .optional()
        .describe('only what this member receives is lost: open a transport for that, and consume anew'),
      ...routerFields,
    }),
    `${everyone}: the SFU has lost all of it; produce and consume anew. With \`direction\`: the member concerned`,
  ),
  ...sfuEvents,
  ...mlsEvents,
  'voice.description': ephemeral(z.object({ ...from, description: Description }), seat),
  'voice.candidate': ephemeral(z.object({ ...from, candidate: Candidate.nullable() }), seat),
  'voice.moved': ephemeral(Joined, `${seat}: has a seat in another channel, as if it had joined there`),
  'voice.handed_over': ephemeral(
    z.object({ voice_session_id: VoiceSessionId, ice_servers: Joined.shape.ice_servers }),
    `${seat}: another process continues the call, with the same voice sessions; over the SFU a voice.route follows`,
  ),
  'voice.disconnected': ephemeral(
    z.object({
      voice_session_id: VoiceSessionId,
      reason: z
        .enum(['taken_over', 'access', 'disconnected', 'media_unavailable', 'rejoin', 'idle', 'encryption'])
        .describe(
          `${WHY}; disconnected: by a moderator;` +
            ' media_unavailable: the member must not be heard or must not hear, and there is no SFU;' +
            ' encryption: the server now wants its calls encrypted, which this client cannot do;' +
            ' idle: to be moved to the AFK channel, where nobody can be silenced without an SFU',
        ),
    }),
    seat,
  ),
}

declare module '../core/events.ts' {
  interface Events extends Payloads<typeof voiceEvents> {}
}
