"""Delegation statistics, with the API of ``executorch.devtools.backend_debug``."""

from .delegation_info import DelegationBreakdown, DelegationInfo, get_delegation_info, print_delegation_info

__all__ = ["DelegationBreakdown", "DelegationInfo", "get_delegation_info", "print_delegation_info"]
