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
