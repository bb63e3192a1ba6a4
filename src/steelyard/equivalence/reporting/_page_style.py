"""The rules of style that only a comparison's page needs."""

STYLE = """
h1{overflow-wrap:anywhere}
.stamp{display:inline-block;border-radius:.35rem;padding:.05rem .6rem;margin-right:.5rem;
color:var(--ground)}
.accepted{background:var(--green)}.rejected{background:var(--red)}
.lead{font-size:1.1rem;margin:-.4rem 0 1rem}
.note b{font-weight:650}.mild{border-color:var(--grey)}
.wrap{overflow-wrap:anywhere;white-space:normal}td.wrap{min-width:11rem}.case td.wrap{min-width:0}
.charts{margin-bottom:.8rem}
td.left,th.left{padding-left:0}
.left,.left th,.left td{text-align:left}
.code,pre{font-family:ui-monospace,monospace;font-size:.85rem}
td.same{color:var(--green)}.different{color:var(--red);font-weight:650}
.zero{color:var(--quiet)}
.case{margin:.8rem 0}.case h3{overflow-wrap:anywhere}
summary{font-size:.95rem;font-weight:600;overflow-wrap:anywhere;cursor:pointer}
.case p,.case dl{margin:.4rem 0 0}
.case ul{margin:.2rem 0 0;padding-left:1.1rem}.case li{overflow-wrap:anywhere}
.case table{width:100%;margin-top:.4rem}
.case td{white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top}
.case th,.case td{padding-left:0}
.case th{white-space:nowrap;overflow-wrap:normal}.case td:first-child{min-width:6rem}
.case td:nth-child(4){overflow-wrap:normal}
.diff{width:100%;font-family:ui-monospace,monospace;font-size:.85rem;line-height:1.45}
.diff td{text-align:left;border:0;padding:0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere;
vertical-align:top}
.diff .no{width:1%;text-align:right;color:var(--quiet);white-space:nowrap;padding:0 .35rem;
user-select:none}
.diff .sign{width:1%;padding:0 .1rem;user-select:none;white-space:pre}
.removed{background:color-mix(in srgb,var(--red) 13%,transparent)}
.added{background:color-mix(in srgb,var(--green) 13%,transparent)}
.removed mark{background:color-mix(in srgb,var(--red) 38%,transparent)}
.added mark{background:color-mix(in srgb,var(--green) 38%,transparent)}
mark{color:inherit;border-radius:.15rem}
.hunk td,.other td{color:var(--quiet);background:var(--card);padding-top:.15rem;
padding-bottom:.15rem}
.diff .missed{box-shadow:inset .2rem 0 var(--plum)}
.missed-key{border-left:.2rem solid var(--plum);padding-left:.4rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:1rem}
.pair>div{min-width:0}
.lines{width:100%}.lines td{border:0}
.lines{font-size:.85rem}.lines td,.lines th{vertical-align:top;padding:0 .35rem}
.lines td:last-child{text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;min-width:15rem;
width:99%;font-family:ui-monospace,monospace}
.lines th:last-child{text-align:left}
.interval{stroke:var(--blue);stroke-width:2.2}.cap{stroke:var(--blue);stroke-width:1.4}.whole{fill:var(--plum)}.total{font-weight:650}
.name{fill:var(--ink)}.alike{stroke:var(--ink);stroke-width:1.2}
.limit{stroke-dasharray:4 3}
@media(max-width:36rem){td.wrap{min-width:7rem}
.stacked thead{display:none}.stacked,.stacked tbody,.stacked tr,.stacked td{display:block}
.stacked td{border:0;padding:.1rem 0}.stacked tr{border-bottom:1px solid var(--rule)}
.stacked td::before{content:attr(data-heading);display:inline-block;min-width:5.5rem;
color:var(--quiet);font-family:system-ui,sans-serif}
.lines tr>:nth-child(2),.lines tr>:nth-child(3){display:none}}
"""
