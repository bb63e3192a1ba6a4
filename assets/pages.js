// Scripts of all pages: htmx, and an editor in place of each text area that asks for one.
import "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const grammars = { python, c: cpp, cpp };
const nonce = document.currentScript?.dataset.nonce;

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], color: "var(--blue)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--green)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--red)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--ground)", color: "var(--ink)", fontSize: "0.9rem", height: "27rem" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--card) 60%, transparent)" },
  "&.cm-focused": { outline: "3px solid var(--blue)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
});

function grammarOf(name) {
  const grammar = grammars[name];
  return grammar ? grammar() : [];
}

function edit(area) {
  const language = new Compartment();
  const chosen = area.form?.querySelector("[data-editor-language]");
  const label = area.form?.querySelector(`label[for="${area.id}"]`);
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        lineNumbers(), history(), highlightActiveLine(), bracketMatching(), indentOnInput(),
        indentUnit.of("    "), syntaxHighlighting(colours), look,
        language.of(grammarOf(chosen?.value ?? "python")),
        // Escape, then Tab leaves the editor by the keyboard.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.editorAttributes.of({ class: "editor" }),
        EditorView.contentAttributes.of({ "aria-label": label?.textContent ?? "Program text" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) area.value = update.state.doc.toString();
        }),
        ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
      ],
    }),
  });
  view.scrollDOM.tabIndex = 0;
  area.after(view.dom);
  area.hidden = true;
  area.required = false;
  label?.addEventListener("click", () => view.focus());
  chosen?.addEventListener("change", () => {
    view.dispatch({ effects: language.reconfigure(grammarOf(chosen.value)) });
  });
}

// Steps that come in are shown at the end of their list, unless somebody reads it.
document.addEventListener("htmx:sse:after:message", () => {
  for (const list of document.querySelectorAll(".steady:not(:hover, :focus)")) list.scrollTop = list.scrollHeight;
});
document.querySelectorAll("textarea[data-editor]").forEach(edit);
