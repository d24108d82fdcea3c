"""For those who train and test agents: batched games, PettingZoo and Gymnasium environments, data sets. See docs/research.md."""
