"""Functions of ``executorch.exir.backend`` that print delegates."""
