/** The panel lies in a shadow root, so that neither its styles nor those of the page reach the other. */
export const STYLE = `
:host { all: initial; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.root {
  --ground: #ffffff; --raised: #f4f5f7; --line: #d5d9e0; --text: #1b1f27; --dim: #565e6c; --accent: #3b4bc8; --chosen: #e4e8ff;
  --good: #0b6b45; --goodGround: #dcf5e8; --warn: #7a4b00; --warnGround: #fdeccb; --bad: #a3182b; --badGround: #fde2e5;
  --info: #1d4f9c; --infoGround: #dfebfd; --plainGround: #e8eaee;
  color: var(--text); font: 13px/1.45 system-ui, sans-serif; color-scheme: light;
}
.root.dark {
  --ground: #16181d; --raised: #1f2229; --line: #363b46; --text: #e8eaf0; --dim: #a4acbb; --accent: #a3b1ff; --chosen: #2b335c;
  --good: #7fe0b0; --goodGround: #10382a; --warn: #f6c874; --warnGround: #40300f; --bad: #ff9dab; --badGround: #471a22;
  --info: #9cc4ff; --infoGround: #18304f; --plainGround: #2b2f38; color-scheme: dark;
}
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 2px 8px; min-height: 24px; }
button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
input { accent-color: var(--accent); }
input[type=search], input[type=number], select { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; min-height: 26px; }
.launcher { position: fixed; z-index: 2147483000; display: flex; align-items: center; gap: 6px; border-radius: 999px; padding: 6px 12px; background: var(--ground); border: 1px solid var(--line); box-shadow: 0 2px 10px #0003; font-weight: 600; }
.launcher.bottom { bottom: 12px; } .launcher.top { top: 12px; } .launcher.left { left: 12px; } .launcher.right { right: 12px; }
.panel { position: fixed; z-index: 2147483000; display: flex; flex-direction: column; background: var(--ground); border: 1px solid var(--line); box-shadow: 0 4px 24px #0004; overflow: hidden; }
.panel.bottom { left: 0; right: 0; bottom: 0; border-width: 1px 0 0; }
.panel.right { top: 0; right: 0; bottom: 0; border-width: 0 0 0 1px; }
.panel.float { border-radius: 10px; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 6px 8px; background: var(--raised); border-bottom: 1px solid var(--line); }
.head select { max-width: 92px; }
.float .head { cursor: move; touch-action: none; }
.title { display: flex; align-items: center; gap: 6px; font-weight: 700; margin: 0; font-size: 13px; } .logo { width: 16px; height: 16px; border-radius: 4px; background: linear-gradient(#fff, #fff) 4px 5px / 8px 1px, linear-gradient(#fff, #fff) 4px 10px / 8px 1px, linear-gradient(#fff, #fff) 6px 4px / 1px 3px, linear-gradient(#fff, #fff) 9px 9px / 1px 3px, #3b4bc8; background-repeat: no-repeat; }
.grow { flex: 1; }
.tabs { display: flex; gap: 2px; padding: 4px 8px 0; border-bottom: 1px solid var(--line); overflow-x: auto; flex: none; }
.tabs button { background: none; border: 0; border-bottom: 2px solid transparent; border-radius: 0; padding: 4px 7px; color: var(--dim); white-space: nowrap; }
.tabs button[aria-selected=true] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
.body { flex: 1; min-height: 0; display: flex; }
.split { display: flex; flex: 1; min-width: 0; min-height: 0; }
.side { flex: 1 1 45%; min-width: 0; display: flex; flex-direction: column; gap: 6px; padding: 8px; }
.split .right { flex: 1 1 55%; min-width: 0; display: flex; flex-direction: column; border-left: 1px solid var(--line); }
.details { flex: 1; min-height: 0; overflow: auto; padding: 8px 12px; }
.page { flex: 1; overflow: auto; padding: 8px 12px; }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; flex: none; }
.bar input[type=search] { flex: 1; min-width: 120px; }
.chip { border-radius: 999px; padding: 0 10px; } button.chip[aria-pressed=true] { background: var(--chosen); color: inherit; border-color: var(--accent); font-weight: 600; } .chips:empty { display: none; }
textarea { width: 100%; font: 12px/1.5 ui-monospace, monospace; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 6px 8px; resize: vertical; } p.bad { color: var(--bad); }
button[aria-pressed=true] { background: var(--warnGround); color: var(--warn); border-color: currentColor; }
.section { margin-top: 12px; } .section h4 { margin: 0; }
.listFrame { flex: 1; min-height: 60px; display: flex; flex-direction: column; container-type: inline-size; } @container (max-width: 480px) { .number ~ .number, .readers { display: none; } }
.list { flex: 1; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
.space { position: relative; }
.row { position: absolute; left: 0; right: 0; height: 28px; display: flex; gap: 8px; align-items: center; padding: 0 8px; white-space: nowrap; cursor: default; }
.row:hover { background: var(--raised); }
.row[aria-selected=true] { background: var(--chosen); }
.main { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.key { display: flex; white-space: pre; } .keyHead, .keyTail { overflow: hidden; text-overflow: ellipsis; } .keyHead { min-width: 5ch; } .keyTail { flex: none; max-width: 100%; } .keyHead + .keyTail { max-width: calc(100% - 5ch); }
.dim { color: var(--dim); }
.mono, pre, code { font-family: ui-monospace, monospace; font-size: 12px; }
.empty { color: var(--dim); margin: 12px 4px; }
.tag { font-size: 11px; border-radius: 4px; padding: 0 6px; background: var(--plainGround); }
button.tag { border: 0; min-height: 22px; padding: 1px 8px; } .glance { display: inline-flex; gap: 4px; } .narrow .glance { display: none; } .launcher .tag { font-weight: 400; }
.why .bar { margin-top: 8px; }
.journey { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 5px 8px; background: var(--warnGround); border-bottom: 1px solid var(--line); } .journey .dim { color: inherit; } .journey .tag { font-weight: 600; background: var(--ground); } .journey button:disabled { opacity: .5; cursor: default; }
.tag.good { color: var(--good); background: var(--goodGround); } .tag.warn { color: var(--warn); background: var(--warnGround); }
.tag.bad { color: var(--bad); background: var(--badGround); } .tag.info { color: var(--info); background: var(--infoGround); }
.link { background: none; border: 0; padding: 0; min-height: 0; color: var(--accent); text-decoration: underline dotted 1px; text-underline-offset: 2px; text-align: left; cursor: pointer; } .link:hover { text-decoration-style: solid; }
.details, .page { overflow-wrap: break-word; }
.why { border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; background: var(--raised); padding: 8px 12px; margin: 6px 0 10px; }
.why .lead { font-size: 15px; line-height: 1.5; margin: 0; } .why .tag { font-weight: 600; } .why .lead .tag { font-size: 13px; padding: 1px 8px; }
.why dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 14px; margin: 8px 0 0; } .why dt { color: var(--dim); font-weight: 600; } .why dd { margin: 0; } .why dd p { margin: 0 0 2px; }
.tree { list-style: none; padding-left: 18px; } .tree.trunk { padding-left: 0; } .tree li { margin: 0; }
.line { display: flex; align-items: baseline; gap: 6px; min-height: 22px; padding: 1px 0; } .line:hover { background: var(--raised); }
.line .name { color: var(--dim); flex: none; } .line .name::after { content: ':'; } .line .value { min-width: 0; } .line .preview { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .line .link { background: none; border: 0; padding: 0; min-height: 0; color: var(--accent); text-decoration: underline dotted 1px; text-underline-offset: 2px; text-align: left; cursor: pointer; } .link:hover { text-decoration-style: solid; }
.line .writer { margin-left: auto; padding-left: 12px; font-size: 12px; flex: 0 1 auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 45%; }
.twist, .gap { flex: none; width: 18px; } .twist { border: 0; background: none; padding: 0; min-height: 18px; line-height: 18px; color: var(--dim); }
.value.string { color: var(--good); } .value.number, .value.bigint { color: var(--info); } .value.boolean { color: var(--warn); } .value.none { color: var(--dim); }
h3 { font-size: 15px; margin: 12px 0 4px; } h3:first-child { margin-top: 0; }
h4 { font-size: 12px; margin: 10px 0 2px; color: var(--dim); font-weight: 600; }
ul, ol { margin: 0; padding-left: 20px; } li { margin: 2px 0; }
p { margin: 4px 0; }
pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
/* In its own window the panel is in quirks mode, where tables inherit neither. */
table { border-collapse: collapse; width: 100%; color: inherit; font: inherit; } th, td { text-align: left; padding: 3px 8px 3px 0; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); font-size: 12px; }
.number { text-align: right; min-width: 52px; font-variant-numeric: tabular-nums; }
.changes .changedRow th { padding-top: 8px; font-size: 13px; color: var(--text); } .changes td { width: 40%; } .changes tbody tr:not(.changedRow) th { padding-left: 12px; font-weight: 400; }
.cards { display: grid; gap: 6px; } .card { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; border: 1px solid var(--line); border-radius: 6px; padding: 6px 8px; }
.field { display: grid; grid-template-columns: 130px 1fr 60px; gap: 8px; align-items: center; margin: 8px 0; max-width: 520px; }
.grip { position: absolute; right: 0; bottom: 0; width: 18px; height: 18px; cursor: nwse-resize; touch-action: none; background: linear-gradient(135deg, transparent 50%, var(--line) 50%); }
.edge { position: absolute; z-index: 1; touch-action: none; } .bottom > .edge { left: 0; right: 0; top: 0; height: 7px; cursor: ns-resize; } .panel.right > .edge { top: 0; bottom: 0; left: 0; width: 7px; cursor: ew-resize; } .edge:hover, .edge:focus-visible { background: var(--accent); outline: none; }
.panel.window { inset: 0; border: 0; }
.back { display: none; padding: 6px 8px 0; } .single .back { display: block; }
.single .split:not(.chosen) .right, .single .split.chosen .side { display: none; } .single .side, .single .right { flex: 1 1 100%; } .single .right { border-left: 0; }
.single .why dl { grid-template-columns: minmax(0, 1fr); gap: 0; } .single .why dd { margin-bottom: 6px; }
.single .line { flex-wrap: wrap; } .single .line .writer { margin-left: 24px; padding: 0; max-width: 100%; flex-basis: 100%; }
.narrow .field { grid-template-columns: 64px 1fr 60px; } .narrow .wide, .narrow [aria-label="Place of the devtools"] { display: none; }
.narrow button, .narrow select, .narrow input[type=search] { min-height: 32px; } .narrow .twist { min-height: 28px; width: 28px; }
@media (prefers-reduced-motion: no-preference) { .launcher { transition: border-color .15s; } }
`
