import type { ComponentProps } from 'preact'
import type { TemplateName } from '../../words/first-steps.ts'
import { showLater } from '../kit/dialogs.tsx'
import type { NewChannel } from '../server/new-channel.tsx'

// Loaded when they are first opened: the page starts without them.

/** @param first the title of the section that is open at first */
export const showUserSettings = (first?: string) =>
  showLater(async () => {
    const { UserSettings } = await import('../settings/user-settings.tsx')
    return () => <UserSettings first={first} />
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
    const { NewChannel: Form } = await import('../server/new-channel.tsx')
    return () => <Form {...place} />
  })

export const showNewInvite = (server_id: number) =>
  showLater(async () => {
    const { NewInvite } = await import('../server/invites.tsx')
    return () => <NewInvite server_id={server_id} />
  })

export const showChannelTopic = (channel_id: number) =>
  showLater(async () => {
    const { ChannelTopic } = await import('../server/new-channel.tsx')
    return () => <ChannelTopic channel_id={channel_id} />
  })

export const showNewServer = (template: TemplateName = 'friends') =>
  showLater(async () => {
    const { NewServer } = await import('../server/new-server.tsx')
    return () => <NewServer template={template} />
  })
