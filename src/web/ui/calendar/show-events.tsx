import { showLater } from '../kit/dialogs.tsx'

/** Opens one date of an event. */
export const showEvent = (eventId: number, n: number) =>
  showLater(async () => {
    const { EventDetails } = await import('./event-details.tsx')
    return () => <EventDetails event_id={eventId} n={n} />
  })

/** Opens the events of a server. */
export const showEvents = (serverId: number) =>
  showLater(async () => {
    const { EventsDialog } = await import('./events-dialog.tsx')
    return () => <EventsDialog server_id={serverId} />
  })
