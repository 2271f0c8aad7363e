/* SPDX-License-Identifier: Apache-2.0 */
/** LiteX's header of CSR access, of which the generated headers want none here: system.h has it. */
