import type { Units } from './plan-units.ts'

/** Behaviour of people in the busiest hour: assumptions, not measurements. */
export interface Habits {
  /** Messages that a person sends an hour. */
  messages: number
  /** People online who receive a message, on average. */
  receivers: number
  /** Pages of history that a person opens an hour. */
  pages: number
  /** Searches of a person an hour. */
  searches: number
  /** Percentage of people who are in a call over the SFU. */
  inCalls: number
  /** People in a call, who all send sound. */
  callMembers: number
}

/** 10,000 were tried; the rest is calculated. */
const SOCKETS_PER_PROCESS = 50_000
/** Share of a core that is planned for: the rest is for peaks. */
const BUSY_SHARE = 0.5
/** The largest primary of PostgreSQL that is planned for. */
export const PRIMARY_CORES_MAX = 32
/** Memory of each process that presence may take. */
export const PRESENCE_BYTES_MAX = 1024 ** 3
/** From this size on, RESUME_WINDOW is set to an hour instead of a day. */
const LONG_WINDOW_PEOPLE_MAX = 50_000
const SOUND_PACKETS_PER_SECOND = 50
/** A packet of sound, with the headers of RTP, UDP, IP and Ethernet. */
const SOUND_PACKET_BYTES = 172 + 42
/** Headers of WebSocket, TLS, TCP and IP around a frame. */
const FRAME_HEADER_BYTES = 80
const HOUR = 3600

/** Everything that a number of people needs, by the unit costs. Cores are planned to be half busy. */
export interface Needs {
  people: number
  sendsPerSecond: number
  deliveriesPerSecond: number
  /** Including a spare one if there are several. */
  processes: number
  /** Of all processes together, without calls. */
  processCores: number
  /** Of one process. */
  processBytes: number
  databaseCores: { sends: number; reads: number }
  /** Event log of one RESUME_WINDOW. */
  logBytes: number
  logHours: number
  /** Rows and search index of the messages of a day that is as busy as the busiest hour. */
  messageBytesPerDay: number
  /** Messages that leave Redis; 0 for one process, which needs none. */
  redisPerSecond: number
  redisCores: number
  frameBitsPerSecond: number
  callBitsPerSecond: number
  sfuCores: number
  /** Time until the sockets of a process that died are open on the others; 0 without others. */
  takeOverSeconds: number
  /** Time to log everybody in again after all sessions were lost. */
  loginSeconds: number
  ends: End[]
}

/** A part that more machines do not widen, and the number of people at which it is full. */
export interface End {
  part: string
  people: number
}

/** Average number of processes that have at least one of the receivers, if these are spread evenly. */
const reachedProcesses = (processes: number, receivers: number) => processes * (1 - (1 - 1 / processes) ** receivers)

/** Calculates the needs of people online. Pure arithmetic: every input is a unit cost or a habit. */
export function needsOf(people: number, habits: Habits, units: Units): Needs {
  const sends = (people * habits.messages) / HOUR
  const deliveries = sends * habits.receivers
  const pages = (people * habits.pages) / HOUR
  const searches = (people * habits.searches) / HOUR
  const busyCores = (sends * units.sendUs + deliveries * units.deliveryUs + pages * units.pageUs) / 1e6
  const least = Math.max(Math.ceil(people / SOCKETS_PER_PROCESS), Math.ceil(busyCores / BUSY_SHARE))
  // One process needs neither Redis nor a balancer, so a spare one begins with the second.
  const processes = least > 1 ? least + 1 : 1
  const socketsEach = people / processes
  const sendCores = (sends * units.databaseSendUs) / 1e6 / BUSY_SHARE
  const readCores = (pages * units.pageUs + searches * units.searchUs) / 1e6 / BUSY_SHARE
  const redisPerSecond = processes > 1 ? sends * reachedProcesses(processes, habits.receivers) : 0
  const inCalls = (people * habits.inCalls) / 100
  const packets = inCalls * Math.max(0, habits.callMembers - 1) * SOUND_PACKETS_PER_SECOND
  const logHours = people > LONG_WINDOW_PEOPLE_MAX ? 1 : 24
  return {
    people,
    sendsPerSecond: sends,
    deliveriesPerSecond: deliveries,
    processes,
    processCores: busyCores / BUSY_SHARE,
    processBytes: units.processBytes + socketsEach * units.socketBytes + people * units.presenceBytes,
    databaseCores: { sends: sendCores, reads: readCores },
    logBytes: sends * HOUR * logHours * units.rowBytes,
    logHours,
    messageBytesPerDay: sends * HOUR * 24 * (units.rowBytes + units.indexBytes),
    redisPerSecond,
    redisCores: redisPerSecond / units.redisPerSecond / BUSY_SHARE,
    frameBitsPerSecond: deliveries * (units.rowBytes + FRAME_HEADER_BYTES) * 8,
    callBitsPerSecond: packets * SOUND_PACKET_BYTES * 8,
    sfuCores: (packets * units.packetUs) / 1e6 / BUSY_SHARE,
    takeOverSeconds: processes > 1 ? (socketsEach * units.openingUs) / 1e6 / (processes - 1) : 0,
    loginSeconds: (people * units.loginUs) / 1e6 / processes,
    ends: endsOf(people, { busyCores, databaseCores: sendCores + readCores }, units),
  }
}

/** The ends that lie ahead, the nearest first. Cores grow in proportion to people. */
function endsOf(people: number, cores: { busyCores: number; databaseCores: number }, units: Units): End[] {
  const oneProcess = Math.min(SOCKETS_PER_PROCESS, (people * BUSY_SHARE) / cores.busyCores)
  return [
    { part: 'one process', people: oneProcess },
    { part: 'the primary of PostgreSQL', people: (people * PRIMARY_CORES_MAX) / cores.databaseCores },
    { part: 'presence in the memory of every process', people: PRESENCE_BYTES_MAX / units.presenceBytes },
  ]
    .filter((end) => end.people > people)
    .toSorted((one, other) => one.people - other.people)
}
