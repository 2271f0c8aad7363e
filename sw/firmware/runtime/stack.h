/* SPDX-License-Identifier: Apache-2.0 */
/** Bytes of stack of each hart. */
#ifndef STACK_H
#define STACK_H
#define STACK_BYTES 4096
#endif
