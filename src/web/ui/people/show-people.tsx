import { showLater } from '../kit/dialogs.tsx'

// Loaded when they are first opened: the page starts without them.

/** Opens the profile of an account, with its membership in a server if one is named. */
export const showProfile = (userId: number, server_id?: number) =>
  showLater(async () => {
    const { Profile } = await import('./profile.tsx')
    return () => <Profile user_id={userId} {...(server_id ? { server_id } : {})} />
  })

export const showRequests = () =>
  showLater(async () => {
    const { RequestsDialog } = await import('./requests.tsx')
    return () => <RequestsDialog />
  })

export const showNewConversation = () =>
  showLater(async () => {
    const { NewConversation } = await import('./groups.tsx')
    return () => <NewConversation />
  })

export const showAddPeople = (channelId: number) =>
  showLater(async () => {
    const { AddPeople } = await import('./groups.tsx')
    return () => <AddPeople channel_id={channelId} />
  })

export const showGroupSettings = (channelId: number) =>
  showLater(async () => {
    const { GroupSettings } = await import('./groups.tsx')
    return () => <GroupSettings channel_id={channelId} />
  })

/** Opens the choice of the account's own status. */
export const showStatus = () =>
  showLater(async () => {
    const { StatusDialog } = await import('./status-dialog.tsx')
    return () => <StatusDialog />
  })
