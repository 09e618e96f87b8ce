/** Words of when the microphone is sent. */
export const talkWords = {
  muted: 'Join calls muted',
  mode: 'Others hear you',
  modes: { open: 'Always', voice: 'While you speak', push: 'While you hold a key' },
  key: 'Key to hold',
  keyText: 'It works while this page has the focus; letters do not while you write.',
  press: 'Press a key…',
  threshold: 'Loud enough to be heard',
  level: 'How loud you are now',
  listen: 'Show how loud I am',
}
