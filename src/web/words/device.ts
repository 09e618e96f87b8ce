// Printed from locales/en/device.json. After a change there: bun run words
import { count, inLanguage } from './plural.ts'

/** Words of the device’s settings and notices, loaded on first use. */
export const deviceWords = inLanguage('device', {
  share: {
    title: 'Share',
    text: 'Message',
    send: 'Share',
    leftOut: (n: number) =>
      count(n, '# file was left out: too many to share at once.', '# files were left out: too many to share at once.'),
  },
  notices: {
    tab: 'Notifications',
    here: 'On this device',
    push: 'Notifications while Parley is closed',
    pushText: 'They are sent through your browser’s push service, encrypted so that only this device can read them.',
    none: 'This browser cannot receive push notifications here. They need HTTPS. On an iPhone or iPad, add Parley to the home screen first.',
    denied: 'Your browser blocks notifications from this site. Allow them in the browser’s site settings.',
    off: 'This server does not send push notifications.',
    needHttps: 'Desktop notifications need HTTPS.',
    desktop: 'Desktop notifications while Parley is open',
    sound: 'Play a sound for messages that are not on screen',
    everywhere: 'On all your devices',
    hide: 'Hide names and text',
    hideText: 'Notifications only say that there is something new.',
    quiet: 'Do not disturb',
    quietText: (zone: string) =>
      `Every day between these times (${zone}). Push notifications for calls are paused too.`,
    from: 'From',
    until: 'Until',
  },
})
