import { count, inLanguage } from './plural.ts'

/** Words of the device's settings and notices, loaded on first use. */
export const deviceWords = inLanguage('device', {
  share: {
    title: 'Share',
    text: 'Message',
    send: 'Share',
    leftOut: (n: number) =>
      count(n, '# more file is too much to share at once.', '# more files are too much to share at once.'),
  },
  notices: {
    tab: 'Notifications',
    here: 'On this device',
    push: 'Notifications while Parley is closed',
    pushText:
      'They come through the push service of this browser’s maker, encrypted so that only this device can read them.',
    none:
      'This browser has no push notifications here. They need HTTPS, and on an iPhone or iPad Parley on the home ' +
      'screen.',
    denied: 'The browser blocks notifications of this page. Allow them in its settings for this site.',
    off: 'This server sends no push notifications.',
    needHttps: 'Notifications of the desktop need HTTPS.',
    desktop: 'Notifications of the desktop while Parley is open',
    sound: 'A sound for messages that you do not see',
    everywhere: 'On all your devices',
    hide: 'Hide names and text',
    hideText: 'Notifications then only say that there is something new.',
    quiet: 'Do not disturb',
    quietText: (zone: string) => `Every day between these times (${zone}). Calls do not ring by push then.`,
    from: 'From',
    until: 'Until',
  },
})
