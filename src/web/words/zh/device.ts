import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: '分享',
    text: '消息',
    send: '分享',
    leftOut: (n) => count(n, '另有 # 个文件超出了单次可分享的数量。'),
  },
  notices: {
    tab: '通知',
    here: '在此设备上',
    push: 'Parley 关闭时的通知',
    pushText: '通知经由此浏览器厂商的推送服务送达，并经过加密，只有此设备能读取。',
    none: '此浏览器在这里没有推送通知。它需要 HTTPS；在 iPhone 或 iPad 上还需要把 Parley 添加到主屏幕。',
    denied: '浏览器阻止了此页面的通知。请在浏览器对此网站的设置中允许。',
    off: '此服务器不发送推送通知。',
    needHttps: '桌面通知需要 HTTPS。',
    desktop: 'Parley 打开时的桌面通知',
    sound: '为你没看到的消息播放提示音',
    everywhere: '在你的所有设备上',
    hide: '隐藏名称和内容',
    hideText: '通知将只提示有新内容。',
    quiet: '勿扰',
    quietText: (zone) => `每天在这段时间内（${zone}）。此时来电不会通过推送响铃。`,
    from: '从',
    until: '到',
  },
} satisfies typeof deviceWords
