import type { ComponentProps } from 'preact'
import { showLater } from '../kit/dialogs.tsx'
import type { NewChannel } from '../server/channel-settings.tsx'

// Loaded when they are first opened: the page starts without them.

export const showUserSettings = () =>
  showLater(async () => {
    const { UserSettings } = await import('../settings/user-settings.tsx')
    return () => <UserSettings />
  })

export const showServerSettings = (server_id: number) =>
  showLater(async () => {
    const { ServerSettings } = await import('../server/server-settings.tsx')
    return () => <ServerSettings server_id={server_id} />
  })

export const showChannelSettings = (channel_id: number) =>
  showLater(async () => {
    const { ChannelSettings } = await import('../server/channel-settings.tsx')
    return () => <ChannelSettings channel_id={channel_id} />
  })

export const showNewChannel = (place: ComponentProps<typeof NewChannel>) =>
  showLater(async () => {
    const { NewChannel: Form } = await import('../server/channel-settings.tsx')
    return () => <Form {...place} />
  })
