import type { talkWords } from '../talk.ts'

export default {
  muted: '加入通话时静音',
  mode: '别人何时能听到你',
  modes: {
    open: '始终',
    voice: '说话时',
    push: '按住按键或按钮时',
  },
  key: '要按住的键',
  keyText: '此页面处于焦点时有效；输入文字时字母键无效。',
  press: '请按一个键…',
  threshold: '多大声才会被听到',
  level: '你现在的音量',
  listen: '显示我的音量',
  noise: '噪声抑制',
  noises: { off: '关闭', browser: '浏览器自带', rnnoise: 'RNNoise：更强，占用更多处理器' },
  echo: '回声消除',
  gain: '自动调整麦克风音量',
  music: '音乐模式',
  musicText: '128 kbit/s 立体声，不对声音做任何处理。请使用耳机，否则其他人会听到回声。',
  keys: '通话中的按键',
  noKey: '无',
  keysText: '单独按一个键，或与 Ctrl、Alt、Shift 一起按。按 Backspace 可清除。',
} satisfies typeof talkWords
