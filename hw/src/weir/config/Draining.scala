// SPDX-License-Identifier: Apache-2.0
package weir.config

/** When queued writes go before reads; reset values where policies are programmable.
  *
  * @param sharedMarks   (register) whether the water marks are for the queued writes of all ranks together, not of each
  * @param together      (register) whether all ranks drain when one must
  * @param equalPriority (register) whether reads and writes take turns in the order in which they came, with no drains
  * @param atHighMark    (register) whether the high mark alone starts drains between the marks, also when no read is queued
  * @param readsAhead    (register) whether reads of a rank that drains go ahead: they end drains that want of reads began, and
  *                      have rows opened during any other; needs `Policies.mayReadAhead`
  */
case class Draining(
    sharedMarks: Boolean = false,
    together: Boolean = false,
    equalPriority: Boolean = false,
    atHighMark: Boolean = false,
    readsAhead: Boolean = false
)
