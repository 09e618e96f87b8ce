import type { ComponentProps } from 'preact'
import type { TemplateName } from './templates.ts'
import { showLater } from '../kit/dialogs.tsx'
import type { NewChannel } from './new-channel.tsx'

// Loaded when they are first opened: the page starts without them.

export const showServerSettings = (serverId: number) =>
  showLater(async () => {
    const { ServerSettings } = await import('./server-settings.tsx')
    return () => <ServerSettings server_id={serverId} />
  })

export const showChannelSettings = (channelId: number) =>
  showLater(async () => {
    const { ChannelSettings } = await import('./channel-settings.tsx')
    return () => <ChannelSettings channel_id={channelId} />
  })

export const showNewChannel = (place: ComponentProps<typeof NewChannel>) =>
  showLater(async () => {
    const { NewChannel: Form } = await import('./new-channel.tsx')
    return () => <Form {...place} />
  })

export const showNewInvite = (serverId: number) =>
  showLater(async () => {
    const { NewInvite } = await import('./invites.tsx')
    return () => <NewInvite server_id={serverId} />
  })

export const showChannelTopic = (channelId: number) =>
  showLater(async () => {
    const { ChannelTopic } = await import('./new-channel.tsx')
    return () => <ChannelTopic channel_id={channelId} />
  })

export const showNewServer = (template: TemplateName = 'friends') =>
  showLater(async () => {
    const { NewServer } = await import('./new-server.tsx')
    return () => <NewServer template={template} />
  })
