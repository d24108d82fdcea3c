// Made by scripts/web_art.py from lampion/games/art.py.
export const LANTERN_SHAPES = {
  R: { name: "red", outline: "M0 -43L46.77 38L-46.77 38Z", letterY: 13 },
  O: { name: "orange", outline: "M17.99 -43.42L43.42 -17.99L43.42 17.99L17.99 43.42L-17.99 43.42L-43.42 17.99L-43.42 -17.99L-17.99 -43.42Z", letterY: 0 },
  G: { name: "green", outline: "M0 -54L19.8 -19.8L54 0L19.8 19.8L0 54L-19.8 19.8L-54 0L-19.8 -19.8Z", letterY: 0 },
  B: { name: "blue", outline: "M0 -48L41.57 -24L41.57 24L0 48L-41.57 24L-41.57 -24Z", letterY: 0 },
  P: { name: "purple", outline: "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z", letterY: 0 },
  W: { name: "white", outline: "M0 -50L16.46 -19.65L50.41 -13.38L26.63 11.65L31.15 45.88L0 31L-31.15 45.88L-26.63 11.65L-50.41 -13.38L-16.46 -19.65Z", letterY: 3 },
  K: { name: "black", outline: "M-38-38H38V38H-38Z", letterY: 0 },
} as const;
