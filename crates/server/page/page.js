// The lobby: tables are asked for every two seconds, meters come by live feeds.
"use strict";

const byId = (id) => document.getElementById(id);
const money = (cents) => (cents / 100).toLocaleString("en-SG", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signs = new Map();
const felts = new Map();

function card(kind, all, name) {
  if (!all.has(name)) {
    const article = byId(kind).content.firstElementChild.cloneNode(true);
    article.querySelector("h2").textContent = name;
    byId(`${kind}s`).append(article);
    all.set(name, article);
  }
  return all.get(name);
}

function put(article, part, text) {
  const place = article.querySelector(`.${part}`);
  if (place.textContent !== text) place.textContent = text;
}

function showMeter(name, cents, note) {
  const sign = card("link", signs, name);
  put(sign, "meter", money(cents));
  put(sign, "note", note);
}

function follow(name) {
  const feed = new EventSource(`/api/streams/link/${encodeURIComponent(name)}/feed`);
  feed.onmessage = (event) => {
    const { link } = JSON.parse(event.data);
    if (link) showMeter(name, link.displayed, link.state === "open" ? "" : link.state === "pending" ? "Award pending" : "Fault");
  };
}

function stage(table) {
  if (!table.open) return "Closed";
  if (table.bets_open) return "Place your bets, please";
  return table.in_play ? "A round is played" : "Between rounds";
}

function showTable(table) {
  const felt = card("table", felts, table.table);
  felt.dataset.book = table.rulebook;
  put(felt, "book", table.title);
  put(felt, "stage", stage(table));
  put(felt, "round", table.round.toLocaleString("en-SG"));
  put(felt, "ante", `${money(table.ante_least)} – ${money(table.ante_most)}`);
  put(felt, "free", table.free.join(" · ") || "none");
  put(felt, "link", table.link ?? "none");
}

async function look() {
  try {
    const answer = await fetch("/api/lobby");
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const lobby = await answer.json();
    byId("house").textContent = lobby.house ?? "Megalink";
    for (const link of lobby.links) {
      const isNew = !signs.has(link.link);
      showMeter(link.link, link.displayed, link.award_waiting ? "Award pending" : "");
      if (isNew) follow(link.link);
    }
    lobby.tables.forEach(showTable);
    byId("state").textContent = "Live.";
  } catch (error) {
    byId("state").textContent = `The floor cannot be reached: ${error.message}. Trying again.`;
  }
}

look();
setInterval(look, 2000);
