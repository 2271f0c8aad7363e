#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make linux` runs in the guest: the memory benchmark, and what the controller counted meanwhile.
exec weirstat -- membench --quick
