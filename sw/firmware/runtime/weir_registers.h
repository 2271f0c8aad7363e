/* SPDX-License-Identifier: Apache-2.0 */
/** Weir's registers, by their names in the generated weir.h. For SoCs that have a Weir. */
#ifndef WEIR_REGISTERS_H
#define WEIR_REGISTERS_H

#include <generated/mem.h>
#include <stddef.h>
#include <stdint.h>
#include <weir.h>

/* weir_t is packed, so that the compiler would read its members byte by byte. */
#define READ(member) (*(volatile uint32_t*)(WEIR_BASE + offsetof(weir_t, member)))
#define WRITE(member, value) (*(volatile uint32_t*)(WEIR_BASE + offsetof(weir_t, member)) = (uint32_t)(value))
/** A field of a register's value, and a value in its place; `name` as in weir.h, WEIR__REGISTER__FIELD. */
#define FIELD(value, name) (((value)&name##_bm) >> name##_bp)
#define AT(value, name) (((uint32_t)(value) << name##_bp) & name##_bm)
/** A counter of 64 bits in two registers, at rest since the last latch. */
#define COUNTER(member) ((uint64_t)READ(member##_high) << 32 | READ(member##_low))

#endif
