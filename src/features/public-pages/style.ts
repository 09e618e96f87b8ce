import { createHash } from 'node:crypto'

/** The look of public pages: the client's colours, readable without them. */
export const STYLE = `:root{color-scheme:light dark;
--ground:light-dark(#fdfefe,#1d2426);--raised:light-dark(#fff,#283032);
--line:light-dark(#dfe4e5,#39454a);--text:light-dark(#1b2528,#edf2f3);--quiet:light-dark(#4c595d,#b7c2c6);
--accent:light-dark(#00695f,#5cd0c3)}
body{margin:0 auto;max-width:760px;padding:20px 16px 60px;background:var(--ground);color:var(--text);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}header,footer,nav{margin-block:12px;color:var(--quiet)}
h1{margin-block:8px;font-size:28px;line-height:1.2}
ol.entries,ul.entries{margin:0;padding:0;list-style:none}
.entry{margin-block:12px;padding:12px 16px;border:1px solid var(--line);border-radius:12px;background:var(--raised)}
.entry h2{margin:0;font-size:20px;line-height:1.3}
.entry p{margin-block:6px}.by{display:flex;flex-wrap:wrap;gap:4px 12px;color:var(--quiet);font-size:14px}
.by strong{color:var(--text)}
blockquote{margin:6px 0;padding-inline-start:12px;border-inline-start:3px solid var(--line)}
.table{overflow-x:auto}table{border-collapse:collapse}th,td{padding:4px 8px;border:1px solid var(--line)}
.start{text-align:start}.left{text-align:left}.center{text-align:center}.right{text-align:right}
pre{overflow:auto;padding:10px;border:1px solid var(--line);border-radius:8px}
img{max-width:100%;height:auto;border-radius:8px}
.answer{border-color:var(--accent)}.spoiler{background:currentColor;border-radius:4px}
.spoiler:hover,.spoiler:focus{background:none}.quiet{color:var(--quiet)}`

export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
