import type { Parts } from '../parts.ts'
import type { Turn } from '../turn/thread.ts'
import { type ClientSockets, NodeSockets } from './client-sockets.ts'
import { VoiceCluster } from './cluster/cluster.ts'
import { KeptFrames } from './cluster/kept-frames.ts'
import { RemoteClients } from './cluster/remote-clients.ts'
import { VoiceSockets } from './cluster/voice-sockets.ts'
import { CallEncryption } from './encryption/call-encryption.ts'
import { deviceKeys } from './encryption/device-keys.ts'
import { DirectCalls } from './direct-calls.ts'
import { IdleSeats } from './idle-seats.ts'
import { openVoiceMetrics } from './metrics.ts'
import { roomLimits } from './room-limits.ts'
import { Rooms } from './rooms.ts'
import { RouteSwitcher } from './routing/route-switcher.ts'
import { SeatAccess } from './seat-access.ts'
import type { VoiceClient } from './seat.ts'
import { sfuHandlers } from './sfu/commands.ts'
import { Links } from './links/links.ts'
import { MemberAudios, remotePeers } from './member-audio.ts'
import type { Sfu } from './sfu/sfu.ts'
import { SfuTests } from './sfu/sfu-tests.ts'
import { Deafness } from './signalling/deafness.ts'
import { moderationCommands } from './signalling/moderation.ts'
import { type Placement, SeatMover } from './signalling/seat-mover.ts'
import { meshCommands, presenceCommands } from './signalling/signalling.ts'
import { Welcome } from './signalling/welcome.ts'
import { Soundboard } from './soundboard.ts'
import { stageHandlers } from './stages/commands.ts'
import { EmptyStages } from './stages/empty-stages.ts'
import { VoiceStates } from './states.ts'

const TICK_MS = 1_000

/** Voice: call membership, signalling, and the route of media. Source: docs/voice.md. */
export function openVoice(parts: Parts, sfu: Sfu, turn: Turn) {
  const { environment, bus, nodes } = parts
  const nodeSockets = new NodeSockets()
  const remote = new RemoteClients()
  const frames = new KeptFrames(nodes)
  const states = new VoiceStates(parts)
  const limits = roomLimits(environment)
  const rooms = new Rooms(states, new VoiceSockets(frames, nodeSockets, remote), limits)
  const metrics = openVoiceMetrics(parts.metrics.registry, rooms, sfu)
  const deafness = new Deafness(rooms)
  // A single process owns every room, so it needs neither links nor a cluster.
  const isClustered = Boolean(environment.REDIS_URL || environment.REDIS_SENTINELS)
  const links = isClustered ? new Links(parts, sfu, remotePeers(rooms, remote)) : undefined
  const switcher = new RouteSwitcher(parts, rooms, metrics, sfu, turn, deafness, links)
  const access = new SeatAccess(parts, rooms, switcher)
  const encryption = new CallEncryption(rooms, environment.CALLS_ENCRYPTION === 'preferred')
  const welcome = new Welcome(environment, turn, encryption, (answer) => frames.mark(answer))
  const calls = new DirectCalls(parts, rooms)
  const isRelayOnly = environment.VOICE_RELAY_ONLY === 'on'
  const presence = presenceCommands(rooms, switcher, access.admit, welcome, calls, isRelayOnly)
  const tools = { rooms, states, sockets: nodeSockets, remote, frames, access, switcher, sfu, welcome }
  const cluster = isClustered ? new VoiceCluster(parts, tools, presence) : undefined
  const place: Placement = (client, request, here) => (cluster ? cluster.place(client, request, here) : here())
  const mover = new SeatMover(rooms, welcome, place)
  const idleSeats = new IdleSeats(parts.log, rooms, access.admit, mover)
  const soundboard = new Soundboard(parts.sql, rooms)
  const emptyStages = new EmptyStages(parts, (id) => states.in([id]).length === 0)
  const commands = {
    ...presence,
    ...soundboard.commands,
    ...meshCommands(rooms, metrics),
    ...deafness.within(sfuHandlers(rooms)),
    ...encryption.commands,
    ...deviceKeys(parts),
    ...moderationCommands(parts, rooms, access.admit, mover),
    ...stageHandlers(parts, rooms, switcher, limits),
  }
  const timer = setInterval(() => {
    rooms.tick(Date.now())
    idleSeats.tick(Date.now())
    soundboard.tick(Date.now())
  }, TICK_MS)

  states.on('outranked', (id, holder, node) =>
    // For a client of another node, only that node knows.
    rooms.leaveOutranked(
      id,
      holder,
      (client) => client.node !== undefined || (cluster?.forwarder.isAt(node, client) ?? true),
    ),
  )
  remote.on('closed', (client) => rooms.socketClosed(client))
  // A room that is on the SFU already must silence new members too.
  rooms.on('entered', (seat) => void switcher.hold(seat))
  rooms.on('changed', (room) => switcher.consider(room))
  rooms.on('ended', ({ channel_id, server_id, is_stage }, givenUp) => {
    cluster?.ended(channel_id)
    if (is_stage) emptyStages.callEnded(channel_id)
    if (server_id === null && !givenUp) calls.ended(channel_id)
  })
  bus.onNotice(access.onNotice)
  bus.onNotice(async (notice) => cluster?.handOver.onNotice(notice))
  followProfiles(bus, rooms, cluster)

  return {
    handlers: cluster?.serve(commands) ?? commands,
    attach: (sockets: ClientSockets) => nodeSockets.attach(sockets),
    socketClosed(client: VoiceClient) {
      rooms.socketClosed(client)
      cluster?.handleClose(client)
    },
    socketDrained(client: VoiceClient) {
      rooms.socketDrained(client)
      cluster?.forwarder.drained(client)
    },
    /** The members present in these channels. */
    statesIn: states.in,
    shownIn: states.shownIn,
    audiencesIn: states.audiencesIn,
    audio: new MemberAudios(rooms, sfu, cluster, links),
    tests: new SfuTests(sfu),
    /** Moves the rooms of this process to others when it drains, and its branches of others' rooms. */
    handOver: {
      async run(signal: AbortSignal) {
        links?.retire()
        await cluster?.handOver.run(signal)
      },
      mediaMoved: async (signal: AbortSignal) => cluster?.handOver.mediaMoved(signal),
    },
    stop() {
      clearInterval(timer)
      switcher.stop()
      calls.stop()
      emptyStages.stop()
      cluster?.stop()
      links?.stop()
    },
  }
}

/** Shows an account's new name in its call. */
function followProfiles(bus: Parts['bus'], rooms: Rooms, cluster: VoiceCluster | undefined): void {
  bus.onFrame(({ type, text }) => {
    if (type !== 'user.updated') return
    const user = JSON.parse(text).d
    rooms.rename(user)
    cluster?.renames.add(user)
  })
}

export type Voice = ReturnType<typeof openVoice>
