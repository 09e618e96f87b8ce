import type { Rooms } from '../rooms.ts'
import { mayFilm, type Room, routerFieldsFor } from '../seat.ts'
import type { RoomEvent } from '../sfu/router-context.ts'

/** Minimum time between two of these events in a stage, where each goes to many listeners, ms. */
const STAGE_SPEAKER_MS = 1_000
const lastSpeakers = new WeakMap<Room, number>()

/** True if a stage may hear of its active speaker again; otherwise it hears of the next change. */
function takesTurn(room: Room, now: number): boolean {
  const passed = now - (lastSpeakers.get(room) ?? 0)
  if (passed >= 0 && passed < STAGE_SPEAKER_MS) return false
  lastSpeakers.set(room, now)
  return true
}

/** Sends events of a room on the SFU to the members concerned. */
export function sendRoomEvent(rooms: Rooms, room: Room, event: Exclude<RoomEvent, { type: 'reset' }>): void {
  if (event.type === 'active_speaker') {
    const { voice_session_id } = event
    if (room.is_stage && !takesTurn(room, Date.now())) return
    return rooms.sendToAll(room, 'voice.active_speaker', { voice_session_id })
  }
  if ('producer' in event) {
    const { type, producer } = event
    const owner = room.seats.get(producer.voice_session_id)
    if (!owner || room.choice.route !== 'sfu') return
    const isBeginning = type === 'producer_new'
    // In a mesh the member's client reports screens and cameras itself.
    if (isBeginning || type === 'producer_closed') {
      if (producer.source === 'screen') rooms.change(owner, { sharing_screen: isBeginning })
      if (producer.source === 'camera') rooms.change(owner, { camera: isBeginning && mayFilm(owner) })
    }
    rooms.sendToOthers(owner, `voice.sfu.${type}`, producer)
    return
  }
  const seat = room.seats.get(event.to)
  if (!seat) return
  if (event.type === 'receiving_reset') {
    const { epoch } = room
    rooms.send(seat, 'voice.sfu.reset', { epoch, direction: 'recv', ...routerFieldsFor(seat) })
    return
  }
  const { consumer_id } = event
  if (event.type === 'consumer_closed') rooms.send(seat, 'voice.sfu.consumer_closed', { consumer_id })
  else if (event.type === 'consumer_layers')
    rooms.send(seat, 'voice.sfu.consumer_layers', { consumer_id, layers: event.layers })
  else rooms.send(seat, 'voice.sfu.consumer_score', { consumer_id, score: { ...event.score } })
}
