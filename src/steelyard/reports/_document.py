"""Make the HTML page of a report: self-contained, in the reader's light or dark scheme."""

import base64
import hashlib
from collections.abc import Iterable
from html import escape

from steelyard.reports._text import visible

PAGE_STYLE = """
:root{color-scheme:light dark;--ink:#1c1f23;--quiet:#5d6670;--ground:#fff;--card:#f5f6f8;
--rule:#dfe3e7;--blue:#0072b2;--red:#b34a00;--plum:#7a3b69;--grey:#7d858d;--green:#00704f}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a3abb4;--ground:#14171a;
--card:#1e2226;--rule:#33393f;--blue:#56b4e9;--red:#f08a4b;--plum:#d59bc4;--grey:#98a1aa;
--green:#3cc79a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:82rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.3;margin:.2rem 0 1rem}h2{font-size:1.05rem;margin:2rem 0 .6rem}
h3{font-size:.95rem;margin:0 0 .3rem;font-weight:600}
.quiet{color:var(--quiet)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:.8rem}
.card{background:var(--card);border-radius:.5rem;padding:.8rem 1rem}
.big{font-size:1.45rem;font-weight:650;overflow-wrap:anywhere}
.card p{margin:.1rem 0}.card ul{margin:.3rem 0 0;padding-left:1.1rem}
.note{border-left:.25rem solid var(--red);padding:.2rem .8rem;margin:.5rem 0;overflow-wrap:anywhere}
.charts{display:flex;flex-wrap:wrap;align-items:flex-start;gap:1rem}
figure{flex:1 1 22rem;min-width:0;max-width:29rem;margin:0;background:var(--card);
border-radius:.5rem;padding:.8rem}
svg{width:100%;height:auto;display:block;font:11px system-ui,sans-serif}
.grid{stroke:var(--rule);stroke-width:.8}.tick{fill:var(--quiet)}.key{fill:var(--ink)}
.dot{fill:var(--blue)}.band{fill:var(--blue);opacity:.18}
.fit,.rival{fill:none;stroke-width:1.8}.fit{stroke:var(--blue)}
.rival{stroke:var(--grey);stroke-dasharray:5 4}
.ring{fill:none;stroke:var(--grey);stroke-width:1.3}
.end{stroke:var(--quiet);stroke-dasharray:1.5 3}
.target{stroke:var(--plum);stroke-width:3.5}.mark{fill:var(--plum)}
.target-label{fill:var(--plum);paint-order:stroke;stroke:var(--card);stroke-width:3px}
.limit{stroke:var(--red);stroke-width:1.6}.limit-label{fill:var(--red)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th{color:var(--quiet);font-weight:600}
.heat{background:linear-gradient(90deg,color-mix(in srgb,var(--red) 40%,transparent) var(--hot),
transparent var(--hot))}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
@media(max-width:36rem){body{padding:1rem .8rem}figure{padding:.6rem .4rem}
th,td{padding-left:.4rem;padding-right:.4rem}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, body: Iterable[str], *, style: str = "", script: str = "") -> str:
    """Return an HTML page that loads nothing from the network and runs no script but its own.

    Args:
        title: Of the page, as plain text.
        body: Its HTML, in which every text from outside is already escaped.
        style: Rules beyond those that all pages share.
        script: The one script that may run, which its hash names in the page's policy.
    """
    policy, code = _POLICY, ""
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy, code = f"{_POLICY}; script-src 'sha256-{digest}'", f"<script>{script}</script>"
    lines = (
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escaped(title)}</title><style>{PAGE_STYLE}{style}</style></head><body><main>",
        f'<p class="quiet">{escaped(title)}</p>',
        *body,
        f"</main>{code}</body></html>",
    )
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return a text from outside on one line, as HTML shows it."""
    return escape(visible(text))
