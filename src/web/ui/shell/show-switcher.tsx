import { showLater } from '../kit/dialogs.tsx'

export const showSwitcher = () =>
  showLater(async () => {
    const { Switcher } = await import('./switcher.tsx')
    return () => <Switcher />
  })
