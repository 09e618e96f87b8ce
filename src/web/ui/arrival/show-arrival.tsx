import { showLater } from '../kit/dialogs.tsx'

export const showChoices = (serverId: number) =>
  showLater(async () => {
    const { Choices } = await import('./choices.tsx')
    return () => <Choices server_id={serverId} />
  })
