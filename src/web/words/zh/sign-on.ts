// Printed from locales/zh/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `使用 ${name} 登录`,
  problems: {
    login_expired: '用时过长，或是在另一个窗口开始的。请重试。',
    oidc_failed: '在对方服务上登录失败。请重试，或询问此服务器的运维人员。',
    email_taken: '这里已有账号使用你的电子邮件地址。请登录该账号，并在安全设置中关联。',
    forbidden: '你在这里没有账号，且不能以此方式创建新账号。',
    identity_taken: '另一个账号已关联此登录。',
    identity_linked: '你的账号已关联。',
    token_revoked: '你的会话已结束。请重新登录。',
    unavailable: '登录服务器没有响应。请稍后再试。',
    last_way_in: '这是你唯一的登录方式。请先设置密码或添加通行密钥。',
  },
  linked: '你的账号已关联',
  proven: '谢谢。请继续你的操作，十分钟内不会再次询问。',
  title: '单点登录',
  text: (name) => `使用 ${name} 在此登录，无需密码。`,
  link: (name) => `关联 ${name}`,
  since: (time) => `关联于 ${time}`,
  used: (time) => `最近使用 ${time}`,
  unlink: '取消关联',
  unlinkOf: (name) => `取消关联 ${name}`,
  unlinkText: (name) => `${name} 将不能再用于登录。`,
} satisfies typeof signOnWords
