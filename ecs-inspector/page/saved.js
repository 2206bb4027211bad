// Saved filters, stored in the browser for each program and context.

import { pickerButton } from "./picker.js";

const MOST = 30;
const NAMES = { all: "", any: "any of ", none: "no ", group: "group ", roots: "roots of ", text: "text " };

/** Returns the name of a filter: a description of its contents. */
function nameOf(filters) {
  return Object.entries(NAMES).filter(([key]) => filters[key]).map(([key, what]) => `${what}${filters[key].replaceAll(",", ", ")}`).join("; ");
}

class Saved {
  constructor(app) {
    this.app = app;
    this.key = `filters of ${app.world.title}, ${app.info.name}`;
  }

  get all() {
    try {
      return JSON.parse(this.app.setting(this.key)) ?? [];
    } catch {
      return [];
    }
  }

  /** The filter of the shown list. */
  get present() {
    const given = Object.keys(NAMES).map((key) => [key, this.app.route.get(key)]);
    return Object.fromEntries(given.filter(([, value]) => value));
  }

  items(list) {
    const known = this.all.map((filters) => ({ key: nameOf(filters), name: nameOf(filters) }));
    const name = nameOf(this.present);
    const isNew = name && !known.some(({ key }) => key === name);
    return list === "open" && isNew ? [{ key: "", name: `Save “${name}”` }, ...known] : known;
  }

  save(all) {
    this.app.saveSetting(this.key, JSON.stringify(all.slice(-MOST)));
  }

  pick(key, list, open) {
    if (key === "") this.save([...this.all, this.present]);
    else if (list === "forget") this.save(this.all.filter((filters) => nameOf(filters) !== key));
    else open(this.all.find((filters) => nameOf(filters) === key));
  }
}

/** A button to open saved filters, save the present one, and delete others. */
export function savedButton(app, open) {
  const saved = new Saved(app);
  return pickerButton("Saved", {
    label: "Saved filters", lists: [["open", "Open or save"], ["forget", "Forget"]],
    items: (list) => saved.items(list), pick: (key, list) => saved.pick(key, list, open),
  }, { id: "saved", title: "Saved filters" });
}
