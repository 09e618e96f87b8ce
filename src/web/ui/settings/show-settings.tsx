import { showLater } from '../kit/dialogs.tsx'

/**
 * Loads the settings of the account when they are first opened, and shows them.
 * @param first the title of the section to open
 */
export const showUserSettings = (first?: string) =>
  showLater(async () => {
    const { UserSettings } = await import('./user-settings.tsx')
    return () => <UserSettings first={first} />
  })
