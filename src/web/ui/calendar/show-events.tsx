import { showLater } from '../kit/dialogs.tsx'

/** Opens the events of a server. */
export const showEvents = (serverId: number) =>
  showLater(async () => {
    const { EventsDialog } = await import('./events-dialog.tsx')
    return () => <EventsDialog server_id={serverId} />
  })
