"""Rules of style, and the script that sorts tables, which only an evaluation's page needs."""

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
h1{overflow-wrap:anywhere}.lead{margin:-.4rem 0 1rem;color:var(--quiet)}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;
min-width:7.5rem}
.figures td:first-child{white-space:nowrap}
.figures td:last-child,.figures th:last-child{text-align:left}
.figures td:last-child{white-space:normal;min-width:9rem}
.sortable th{white-space:normal;vertical-align:bottom}
th button{appearance:none;border:0;padding:0;background:none;cursor:pointer;font:inherit;
color:inherit;text-align:inherit}
th button:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" \\2191"}
th[aria-sort=descending] button::after{content:" \\2193"}
.sortable{width:100%}.sortable td{font-size:.9rem}
.sortable td:nth-child(5){white-space:normal;min-width:8rem}
@media(min-width:60rem){.sortable td:first-child{min-width:12rem}}
.scroll{max-height:40rem;overflow:auto}
.scroll thead th{position:sticky;top:0;background:var(--ground)}
.bar{display:flex;height:1.4rem;border-radius:.35rem;overflow:hidden;gap:1px}
.bar .v{flex-basis:0;min-width:2px}
.share{min-width:9rem}.share span{display:block;height:.8rem;background:var(--green)}
.keys{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;margin:.5rem 0 0}
.keys .v{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;margin-right:.35rem}
.v{background:var(--grey)}.v.AC{background:var(--green)}.v.WA{background:var(--red)}
.v.TLE{background:var(--blue)}.v.MLE{background:var(--plum)}
.v.RTE{background:color-mix(in srgb,var(--red) 55%,var(--ground))}
.v.CE{background:color-mix(in srgb,var(--ink) 60%,var(--ground))}
details{border-bottom:1px solid var(--rule);padding:.35rem 0}
summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}summary .quiet{font-weight:400}
a{color:var(--blue)}.task>div{margin-left:1rem;scroll-margin-top:3rem}
.task h3,.task h4{font-size:.85rem;margin:.6rem 0 .2rem;color:var(--quiet);overflow-wrap:anywhere}
.fail{margin:.6rem 0;padding:.5rem .8rem;background:var(--card);border-radius:.4rem;border:0;
font-size:.9rem}
.fail .v{display:inline-block;width:.7rem;height:.7rem;border-radius:.15rem}
.fail summary{font-weight:400}
pre{margin:0;padding:.4rem .6rem;background:var(--ground);border:1px solid var(--rule);
border-radius:.3rem;max-height:30rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;
font:.85rem/1.45 ui-monospace,monospace}
.curves{max-width:none;background:#fff;overflow-x:auto}.curves svg{min-width:36rem}
.faults li{overflow-wrap:anywhere}
@media(max-width:36rem){.task>div{margin-left:0}dl{grid-template-columns:1fr}dd{margin-bottom:.3rem}}
"""

SCRIPT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const value = (row, i) => {
    const cell = row.cells[i], own = cell.dataset.value;
    return own === undefined ? cell.textContent : Number(own);
  };
  const order = (a, b) => typeof a === "number"
    ? a - b : a.localeCompare(b, undefined, {numeric: true});
  heads.forEach((head, i) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    body.append(...[...body.rows].sort((a, b) => sign * order(value(a, i), value(b, i))));
  }));
}
"""
