"""Converts numbers, numpy arrays, torch tensors (by DLPack) and sequences of them to numpy arrays of float64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def is_tensor(value: Any) -> bool:
    """Returns whether the value is a numpy array or a tensor."""
    return hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def to_array(value: Any) -> np.ndarray:
    """Converts the value to an array of the same dtype; bfloat16, which numpy lacks, becomes float32."""
    import numpy as np

    if isinstance(value, np.ndarray):
        return value
    if type(value).__module__.partition(".")[0] == "torch":
        value = value.detach().cpu()
        return value.float().numpy() if str(value.dtype) == "torch.bfloat16" else value.numpy()
    return np.from_dlpack(value) if hasattr(value, "__dlpack__") else np.asarray(value)


def to_doubles(value: Any) -> np.ndarray:
    """Converts the value to float64, with NaN as 0; sequences are stacked. Raises ValueError if not convertible."""
    import numpy as np

    try:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return np.stack([to_doubles(each) for each in value])
        return np.nan_to_num(np.asarray(to_array(value), dtype=np.float64), copy=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"Cannot convert value of type {type(value)} to a tensor: {error}") from error
