// Printed from locales/zh/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: '欢迎回来',
    ended: '你的登录已在另一台设备上被退出。请重新登录以继续，未发送的消息仍在这里。',
    name: '用户名或电子邮件',
    username: '用户名',
    email: '电子邮件',
    password: '密码',
    login: '登录',
    passkey: '使用通行密钥登录',
    register: '创建账号',
    forgot: '忘记密码？',
    noAccount: '还没有账号？',
    haveAccount: '已有账号？',
    rulesTitle: '要求',
    rules: {
      length: '至少 12 个字符',
      upper: '一个大写字母',
      lower: '一个小写字母',
      digit: '一个数字',
      special: '!@#$%^&* 中的一个',
    },
  },
  newLogin: ({ device, ip }) => `你的账号有新的登录：${device}，来自 ${ip}。如果不是你本人，请在设置中结束该会话。`,
  securityChanged: {
    totp_on: '已为你的账号设置身份验证器应用。',
    totp_off: '你的账号已关闭身份验证器应用。',
    recovery_codes: '已为你的账号生成新的恢复代码。',
    passkey_added: '你的账号已添加一个通行密钥。',
    passkey_removed: '你的账号已移除一个通行密钥。',
    identity_linked: '你的账号已关联单点登录。',
    identity_unlinked: '你的账号已取消关联单点登录。',
  },
  unknownDevice: '未知设备',
} satisfies typeof accountWords
