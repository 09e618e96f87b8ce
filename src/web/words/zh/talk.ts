// Printed from locales/zh/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: '加入通话时静音',
  mode: '输入模式',
  modes: {
    open: '始终开启',
    voice: '语音激活',
    push: '按键说话',
  },
  key: '按键说话的快捷键',
  keyText: '此页面处于焦点时有效。输入文字时字母键无效。',
  press: '请按一个键…',
  threshold: '输入灵敏度',
  level: '输入音量',
  listen: '测试麦克风',
  noise: '噪声抑制',
  noises: {
    off: '关闭',
    browser: '浏览器',
    rnnoise: 'RNNoise（更强，占用更多 CPU）',
  },
  echo: '回声消除',
  gain: '自动增益控制',
  music: '音乐模式',
  musicText: '128 kbit/s 立体声，不进行声音处理。请使用耳机，否则其他人会听到回声。',
  keys: '通话中的按键',
  noKey: '无',
  keysText: '按一个键，可与 Ctrl、Alt 或 Shift 组合。按 Backspace 可清除。',
} satisfies typeof talkWords
