// Printed from locales/en/stages.json. After a change there: bun run words
import { count, digits, inLanguage } from './plural.ts'

/** Words of stages, loaded with the code of calls. */
export const stageWords = inLanguage('stages', {
  kind: 'Stage',
  make: 'New stage',
  listen: 'Listen',
  start: 'Start the stage',
  startNow: 'Start',
  edit: 'Change the topic',
  end: 'End the stage',
  topic: 'Topic',
  noSpeakers: 'Nobody is speaking yet.',
  audience: (n: number) => count(n, '# listener', '# listeners'),
  showAudience: 'Show listeners',
  others: (n: number) => `and ${digits(n)} more`,
  raise: 'Raise your hand',
  lower: 'Lower your hand',
  place: (n: number) => count(n, '# hand was raised before yours', '# hands were raised before yours'),
  speak: 'Speak',
  stepDown: 'Step down',
  invited: 'A moderator invites you to speak.',
  refuse: 'No, thanks',
  hands: 'Raised hands',
  noHands: 'No hand is raised.',
  letUp: (name: string) => `Let ${name} speak`,
  invite: (name: string) => `Invite ${name} to speak`,
  sendDown: (name: string) => `Move ${name} to the listeners`,
  lowerHand: (name: string) => `Lower ${name}’s hand`,
  isInvited: 'Invited',
})
