import { effect } from "@preact/signals";
import { render } from "preact";
import { Api, takeToken } from "./api";
import { App } from "./app";
import { openLink } from "./shell/share";
import { Store, type Theme } from "./store";

const api = new Api(takeToken(location, history, localStorage));
const store = new Store(api);
store.theme.value = (localStorage.getItem("servanda.theme") as Theme | null) ?? "auto";
effect(() => localStorage.setItem("servanda.theme", store.theme.value));

const root = document.getElementById("app");
if (root) {
  root.textContent = "";
  render(<App store={store} />, root);
}
void store.load().then(() => openLink(store));
addEventListener("hashchange", () => void openLink(store));
