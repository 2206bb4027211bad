// The theme: light, dark, or that of the system. Set before anything is painted.

const themes = ["system", "light", "dark"];

function savedTheme() {
  try {
    return localStorage.getItem("theme") ?? "system";
  } catch {
    return "system";
  }
}

function applyTheme(theme) {
  document.documentElement.dataset.theme = themes.includes(theme) ? theme : "system";
}

function nextTheme() {
  const now = themes.indexOf(document.documentElement.dataset.theme);
  const theme = themes[(now + 1) % themes.length];
  applyTheme(theme);
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage, the theme lasts as long as the page.
  }
  dispatchEvent(new Event("themechange"));
  return theme;
}

applyTheme(new URLSearchParams(location.search).get("theme") ?? savedTheme());
