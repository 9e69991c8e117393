"""Live views of numbers of a world or a batch."""

import numpy

from . import _reeve


class View(numpy.ndarray):
    """Numbers of a world where they are: no copy, read-only, and they follow. What is computed from them is a plain array.

    DLPack takes them too, without a copy: torch.from_dlpack(world.positions). It has no word for read-only that all its
    readers know, so do not write to what it gives.
    """

    def __array_wrap__(self, array, context=None):
        return array[()] if array.ndim == 0 else numpy.asarray(array)

    def __dlpack__(self, **arguments):
        return _reeve._unmarked(self).__dlpack__(**arguments)

    def __reduce__(self):
        return numpy.array(self).__reduce__()


_reeve._use_view(View)
