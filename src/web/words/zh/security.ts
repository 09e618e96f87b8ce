// Printed from locales/zh/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { digits } from '../plural.ts'

export default {
  methods: {
    password: '使用密码',
    code: '使用身份验证器应用',
    recovery_code: '使用恢复代码',
    passkey: '使用通行密钥',
  },
  fields: {
    password: '密码',
    code: '身份验证器应用的验证码',
    recovery_code: '恢复代码',
  },
  problems: {
    invalid_code: '验证码错误、已过期或已使用。请等待下一个。',
    login_expired: '用时过长，或尝试次数过多。请重新登录。',
    invalid_credentials: '密码错误。',
  },
  recoveryHint: '你保存的十个代码之一。每个可用一次。',
  second: {
    title: '还差一步',
    text: '请确认是你本人。',
    login: '登录',
    back: '返回',
  },
  proof: {
    title: '确认是你本人',
    text: '此操作会改变谁能进入你的账号。之后十分钟内不会再次询问。',
    go: '继续',
    none: '你在这里没有可用来确认身份的方式。请向此服务器的运维人员索要密码重置链接。',
  },
  notThere: '未使用通行密钥：你已取消操作，或此网站没有通行密钥。',
  app: {
    title: '身份验证器应用',
    off: '登录时还需要手机应用中的验证码。',
    since: (time) => `自 ${time} 起启用。登录需要应用中的验证码。`,
    left: (n) => `剩余 ${digits(n)} 个恢复代码`,
    setUp: '设置',
    turnOff: '关闭',
    turnOffText: '登录只需密码即可。恢复代码将失效。',
    isOff: '身份验证器应用已关闭',
    newCodes: '新的恢复代码',
    scan: '请用身份验证器应用扫描。',
    picture: '身份验证器应用的二维码',
    type: '或在应用中输入此密钥：',
    confirm: '然后输入应用显示的验证码',
    turnOn: '启用',
  },
  codes: {
    title: '你的恢复代码',
    text: '请立即保存：它们只显示一次。手边没有应用时，每个代码可使用一次。以前的代码已失效。',
    file: 'parley-recovery-codes.txt',
    heading: ({ name, host }) => `${name} 在 ${host} 的恢复代码`,
    download: '下载',
    saved: '我已保存',
  },
  passkeys: {
    title: '通行密钥',
    text: '用指纹、面容、PIN 或安全密钥登录，无需密码。',
    add: '添加通行密钥',
    added: (time) => `添加于 ${time}`,
    used: (time) => `最近使用 ${time}`,
    name: '名称',
    nameHint: '方便你日后辨认，例如“手机”。',
    rename: '重命名',
    renameOf: (name) => `重命名 ${name}`,
    remove: '移除',
    removeOf: (name) => `移除 ${name}`,
    removeText: (name) => `${name} 将不能再用于登录。`,
  },
} satisfies typeof securityWords
