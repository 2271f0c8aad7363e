# SPDX-License-Identifier: Apache-2.0
"""The one exception of litex_weir."""


class WeirError(ValueError):
    """An argument does not fit; the message names the argument, its value and what would fit."""
