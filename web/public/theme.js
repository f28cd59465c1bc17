// Runs before anything is painted, so that a chosen theme does not flash.
(() => {
  try {
    const theme = localStorage.getItem("assay/theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is switched off; the system's choice applies.
  }
})();
