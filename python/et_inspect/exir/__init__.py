"""Functions of ``executorch.exir`` that print programs and graphs, without torch."""
