// The studio in a notebook: anywidget's contract. The core and the style come from Python with the widget, so that
// nothing is fetched.

import { loadCore } from "./core.js";
import { studio } from "./studio.js";

/** @param {{ model: any, el: HTMLElement }} given @returns {Promise<() => void>} */
export async function render({ model, el }) {
  const style = document.createElement("style");
  style.textContent = model.get("css");
  const host = document.createElement("div");
  host.className = "rosenblatt-host";
  const root = document.createElement("div");
  host.append(root);
  el.append(style, host);
  const bytes = model.get("core");
  const core = await loadCore(new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength));
  const given = model.get("presets");
  const made = studio(
    root,
    core,
    {
      changed: (hash) => {
        if (model.get("state") !== hash) {
          model.set("state", hash);
          model.save_changes();
        }
      },
      address: () => "",
      page: () => model.get("page") ?? "",
      embedded: false,
      keys: root,
    },
    {
      presets: typeof given === "string" ? JSON.parse(given) : given,
      hash: model.get("state") ?? "",
      run: model.get("run") ?? null,
    },
  );
  model.on("change:state", () => made.follow(model.get("state")));
  root.dataset.ready = "1";
  return made.end;
}
