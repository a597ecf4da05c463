// Suggestions while typing: a combobox with a listbox, as the ARIA practices describe it.
const pauseMs = 90;

export function suggest(form) {
  const input = form.elements.q;
  const list = document.createElement("ul");
  const status = document.createElement("p");
  let asked = null; // the request that is under way
  let timer = 0;
  let active = -1;
  let typed = input.value;

  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  status.className = "unseen";
  status.setAttribute("role", "status");
  form.querySelector(".box").append(list, status);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  function close() {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function show(texts) {
    list.replaceChildren(...texts.map(option));
    active = -1;
    input.removeAttribute("aria-activedescendant");
    list.hidden = texts.length === 0;
    input.setAttribute("aria-expanded", String(texts.length > 0));
    status.textContent = texts.length ? `${texts.length} suggestions` : "No suggestions";
  }

  function option(text, place) {
    const made = document.createElement("li");
    made.id = `suggestion-${place}`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    const begins = text.toLowerCase().startsWith(typed.toLowerCase());
    if (begins) {
      const rest = document.createElement("b");
      rest.textContent = text.slice(typed.length);
      made.append(text.slice(0, typed.length), rest);
    } else {
      made.textContent = text;
    }
    made.dataset.text = text;
    return made;
  }

  function move(to) {
    const options = list.children;
    options[active]?.setAttribute("aria-selected", "false");
    // Beyond either end lies what was typed.
    active = ((to + 1 + options.length + 1) % (options.length + 1)) - 1;
    const chosen = options[active];
    if (chosen) {
      chosen.setAttribute("aria-selected", "true");
      chosen.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", chosen.id);
    } else {
      input.removeAttribute("aria-activedescendant");
    }
    input.value = chosen ? chosen.dataset.text : typed;
  }

  function ask() {
    clearTimeout(timer);
    asked?.abort();
    typed = input.value;
    if (!typed.trim()) {
      close();
      return;
    }
    timer = setTimeout(async () => {
      asked = new AbortController();
      const { signal } = asked;
      const index = new FormData(form).get("index") ?? "";
      try {
        const answer = await fetch(`/suggest?${new URLSearchParams({ q: typed, index })}`, { signal });
        if (!answer.ok) throw new Error(`${answer.status}`);
        const [, texts] = await answer.json();
        if (!signal.aborted && document.activeElement === input) show(texts);
      } catch {
        if (!signal.aborted) close(); // a search goes on without suggestions
      }
    }, pauseMs);
  }

  input.addEventListener("input", ask);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else move(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      input.value = typed;
      close();
    }
  });
  // The box keeps the focus, so that a touch does not close the list before it is heard.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("[role=option]");
    if (!chosen) return;
    input.value = chosen.dataset.text;
    close();
    form.requestSubmit();
  });
  form.addEventListener("submit", close);
}
