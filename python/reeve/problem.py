"""Errors of the package's own, like those of the library."""

from . import _reeve


def problem(path, reason, remedy):
    """A reeve.Error that says where, what is wrong there, and what to do."""
    error = _reeve.Error(f"{path}: {reason}; {remedy}")
    error.path, error.reason, error.remedy = path, reason, remedy
    return error
