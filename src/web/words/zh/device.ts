// Printed from locales/zh/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { digits } from '../plural.ts'

export default {
  share: {
    title: '分享',
    text: '消息',
    send: '分享',
    leftOut: (n) => `一次分享的文件过多，已略去 ${digits(n)} 个文件。`,
  },
  notices: {
    tab: '通知',
    here: '在此设备上',
    push: 'Parley 关闭时的通知',
    pushText: '通知通过浏览器的推送服务发送，并经过加密，只有此设备能够读取。',
    none: '此浏览器在这里无法接收推送通知。推送通知需要 HTTPS。在 iPhone 或 iPad 上，请先把 Parley 添加到主屏幕。',
    denied: '浏览器阻止了此网站的通知。请在浏览器的网站设置中允许。',
    off: '此服务器不发送推送通知。',
    needHttps: '桌面通知需要 HTTPS。',
    desktop: 'Parley 打开时的桌面通知',
    sound: '为不在屏幕上的消息播放提示音',
    everywhere: '在你的所有设备上',
    hide: '隐藏名称和内容',
    hideText: '通知只提示有新内容。',
    quiet: '勿扰',
    quietText: (zone) => `每天在这段时间内（${zone}）。来电的推送通知也会暂停。`,
    from: '从',
    until: '到',
  },
} satisfies typeof deviceWords
