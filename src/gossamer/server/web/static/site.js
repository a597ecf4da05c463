// What a script adds to pages that work without one.
import { suggest } from "./suggest.js";

const deadlineMs = 5000;

function fragment(address) {
  return fetch(address, { signal: AbortSignal.timeout(deadlineMs) }).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.text();
  });
}

// A fragment is a page of our own server, which has escaped all of it.
function put(element, html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
}

function panels() {
  for (const panel of document.querySelectorAll("[data-panel]")) {
    fragment(panel.dataset.panel)
      .then((html) => (html ? put(panel, html) : panel.remove()))
      .catch(() => panel.remove()); // it failed or took too long: the results stand alone
  }
}

function explanations() {
  for (const details of document.querySelectorAll("details[data-why]")) {
    details.addEventListener("toggle", () => {
      const link = details.querySelector(":scope > p");
      if (!details.open || !link || details.ariaBusy === "true") return;
      details.ariaBusy = "true";
      const content = document.createElement("div");
      fragment(details.dataset.why)
        .then((html) => {
          put(content, html);
          link.replaceWith(content);
        })
        .catch(() => {}) // the link to the whole page stays
        .finally(() => (details.ariaBusy = "false"));
    });
  }
}

// The sheet of options lies over the results: it goes away as a menu does.
function options() {
  const sheet = document.querySelector("details.options");
  if (!sheet) return;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !sheet.open) return;
    sheet.open = false;
    sheet.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (!sheet.contains(event.target)) sheet.open = false;
  });
}

function theme() {
  const button = document.querySelector("button.theme");
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const tell = () => button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  button.hidden = false;
  tell();
  prefersDark.addEventListener("change", tell);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    tell();
  });
}

function search(form) {
  suggest(form);
  // Addresses stay short: what is not set is not in them.
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "" && name !== "q") formData.delete(name);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    form.elements.q.select();
  });
}

theme();
panels();
explanations();
options();
const form = document.querySelector("form.search");
if (form) search(form);
