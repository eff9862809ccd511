"""Module paths of ``executorch.extension``."""
