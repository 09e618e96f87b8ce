import type { ComponentProps } from 'preact'
import type { TemplateName } from '../../words/first-steps.ts'
import { showLater } from '../kit/dialogs.tsx'
import type { NewChannel } from './new-channel.tsx'

// Loaded when they are first opened: the page starts without them.

export const showServerSettings = (server_id: number) =>
  showLater(async () => {
    const { ServerSettings } = await import('./server-settings.tsx')
    return () => <ServerSettings server_id={server_id} />
  })

export const showChannelSettings = (channel_id: number) =>
  showLater(async () => {
    const { ChannelSettings } = await import('./channel-settings.tsx')
    return () => <ChannelSettings channel_id={channel_id} />
  })

export const showNewChannel = (place: ComponentProps<typeof NewChannel>) =>
  showLater(async () => {
    const { NewChannel: Form } = await import('./new-channel.tsx')
    return () => <Form {...place} />
  })

export const showNewInvite = (server_id: number) =>
  showLater(async () => {
    const { NewInvite } = await import('./invites.tsx')
    return () => <NewInvite server_id={server_id} />
  })

export const showChannelTopic = (channel_id: number) =>
  showLater(async () => {
    const { ChannelTopic } = await import('./new-channel.tsx')
    return () => <ChannelTopic channel_id={channel_id} />
  })

export const showNewServer = (template: TemplateName = 'friends') =>
  showLater(async () => {
    const { NewServer } = await import('./new-server.tsx')
    return () => <NewServer template={template} />
  })
