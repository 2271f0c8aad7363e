# SPDX-License-Identifier: Apache-2.0
"""Runs the suites of suites.toml, two at a time, and counts their tests."""
