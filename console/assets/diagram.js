// The diagram of the agents: what each did for one question or for many, the ways that were taken, and one agent chosen.

/** Draws what is known of each agent by its name; `lines` tells at most three lines of it. */
export function draw(diagram, agents, { lines, slowest = null }) {
  for (const node of diagram.querySelectorAll(".node")) {
    const known = agents[node.dataset.agent];
    node.classList.toggle("unused", !known);
    node.classList.toggle("slowest", slowest === node.dataset.agent);
    node.classList.toggle("failed", Boolean(known?.failed));
    const told = known ? lines(known) : ["not used"];
    node.querySelectorAll(".figures").forEach((line, at) => (line.textContent = told[at] ?? ""));
  }
  for (const way of diagram.querySelectorAll(".ways path")) {
    way.classList.toggle("taken", way.dataset.from in agents && way.dataset.to in agents);
  }
}

/** Calls `chosen(agent)` when a node is clicked, or Enter or the space bar pressed on it. */
export function choosing(diagram, chosen) {
  const choose = (event) => {
    const node = event.target.closest(".node");
    if (!node || (event.type === "keydown" && !["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    for (const other of diagram.querySelectorAll(".node")) other.setAttribute("aria-pressed", String(other === node));
    chosen(node.dataset.agent);
  };
  diagram.addEventListener("click", choose);
  diagram.addEventListener("keydown", choose);
}
