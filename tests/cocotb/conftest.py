# SPDX-License-Identifier: Apache-2.0
"""Its place makes this folder the one that the tests' modules are imported from."""
